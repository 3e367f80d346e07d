-- CreateEnum
CREATE TYPE "webhook_kind" AS ENUM ('signed', 'slack');

-- CreateEnum
CREATE TYPE "delivery_state" AS ENUM ('queued', 'delivered', 'failed');

-- AlterTable
ALTER TABLE "notification_rules" ADD COLUMN     "endpoint_id" UUID;

-- CreateTable
CREATE TABLE "webhook_endpoints" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "kind" "webhook_kind" NOT NULL,
    "name" TEXT NOT NULL,
    "url" TEXT,
    "host" TEXT NOT NULL,
    "secret" TEXT NOT NULL,
    "is_enabled" BOOLEAN NOT NULL DEFAULT true,
    "disabled_reason" TEXT,
    "failing_since" TIMESTAMPTZ(3),
    "last_delivered_at" TIMESTAMPTZ(3),
    "created_by" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "endpoint_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "event" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "state" "delivery_state" NOT NULL DEFAULT 'queued',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "history" JSONB NOT NULL DEFAULT '[]',
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "response_status" INTEGER,
    "response_excerpt" TEXT,
    "last_error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "delivered_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "webhook_endpoints_organization_id_id_key" ON "webhook_endpoints"("organization_id", "id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_organization_id_endpoint_id_id_idx" ON "webhook_deliveries"("organization_id", "endpoint_id", "id" DESC);

-- CreateIndex
CREATE INDEX "webhook_deliveries_created_at_idx" ON "webhook_deliveries"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_deliveries_organization_id_endpoint_id_event_id_key" ON "webhook_deliveries"("organization_id", "endpoint_id", "event_id");

-- CreateIndex
CREATE INDEX "notification_rules_organization_id_endpoint_id_idx" ON "notification_rules"("organization_id", "endpoint_id");

-- AddForeignKey
ALTER TABLE "notification_rules" ADD CONSTRAINT "notification_rules_organization_id_endpoint_id_fkey" FOREIGN KEY ("organization_id", "endpoint_id") REFERENCES "webhook_endpoints"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_organization_id_endpoint_id_fkey" FOREIGN KEY ("organization_id", "endpoint_id") REFERENCES "webhook_endpoints"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Deliveries that are due.
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries"("next_attempt_at") WHERE "state" = 'queued';

COMMENT ON COLUMN "notification_rules"."endpoint_id" IS 'The webhook endpoint that receives them; null: another channel.';
COMMENT ON TABLE "webhook_endpoints" IS 'Addresses of users that receive notifications: signed webhooks, and incoming webhooks of Slack.';
COMMENT ON COLUMN "webhook_endpoints"."id" IS 'UUIDv7.';
COMMENT ON COLUMN "webhook_endpoints"."organization_id" IS 'The organization that owns this row.';
COMMENT ON COLUMN "webhook_endpoints"."kind" IS 'signed or slack.';
COMMENT ON COLUMN "webhook_endpoints"."name" IS 'Display name.';
COMMENT ON COLUMN "webhook_endpoints"."url" IS 'Address of a signed webhook. Null for Slack, whose address is a secret.';
COMMENT ON COLUMN "webhook_endpoints"."host" IS 'Host of the address.';
COMMENT ON COLUMN "webhook_endpoints"."secret" IS 'Encrypted: {current, previous, previousUntil} with the signing secrets, or {url} of Slack. Never returned.';
COMMENT ON COLUMN "webhook_endpoints"."is_enabled" IS 'Whether it receives notifications.';
COMMENT ON COLUMN "webhook_endpoints"."disabled_reason" IS 'Why it is disabled: user, or failures (no delivery succeeded for five days); null: enabled.';
COMMENT ON COLUMN "webhook_endpoints"."failing_since" IS 'First failed delivery since the last successful one; null: the last one succeeded.';
COMMENT ON COLUMN "webhook_endpoints"."last_delivered_at" IS 'When a delivery last succeeded; null: never.';
COMMENT ON COLUMN "webhook_endpoints"."created_by" IS 'Firebase uid of the user who created it.';
COMMENT ON COLUMN "webhook_endpoints"."version" IS 'Version for optimistic locking; every change by a user adds 1.';
COMMENT ON COLUMN "webhook_endpoints"."created_at" IS 'When it was created.';
COMMENT ON COLUMN "webhook_endpoints"."updated_at" IS 'When it was last changed.';
COMMENT ON TABLE "webhook_deliveries" IS 'Deliveries to webhook endpoints, with their attempts. Stored for 30 days. A partial index finds those that are due.';
COMMENT ON COLUMN "webhook_deliveries"."id" IS 'UUIDv7; increases with time.';
COMMENT ON COLUMN "webhook_deliveries"."organization_id" IS 'The organization that owns this row.';
COMMENT ON COLUMN "webhook_deliveries"."endpoint_id" IS 'The receiver.';
COMMENT ON COLUMN "webhook_deliveries"."event_id" IS 'Id of the event, equal for all receivers and attempts. Sent as webhook-id, so that a receiver detects repetitions.';
COMMENT ON COLUMN "webhook_deliveries"."event" IS 'Type of the event, such as alert.opened.';
COMMENT ON COLUMN "webhook_deliveries"."payload" IS 'The body that is sent. Contains no secrets.';
COMMENT ON COLUMN "webhook_deliveries"."state" IS 'queued, delivered or failed.';
COMMENT ON COLUMN "webhook_deliveries"."attempts" IS 'Number of attempts since it was queued.';
COMMENT ON COLUMN "webhook_deliveries"."history" IS 'The last attempts: [{at, status, durationMs, error}], oldest first.';
COMMENT ON COLUMN "webhook_deliveries"."next_attempt_at" IS 'When it is sent next.';
COMMENT ON COLUMN "webhook_deliveries"."response_status" IS 'HTTP status of the last response; null: none.';
COMMENT ON COLUMN "webhook_deliveries"."response_excerpt" IS 'First characters of the body of the last response; null: none.';
COMMENT ON COLUMN "webhook_deliveries"."last_error" IS 'Why the last attempt failed; null: it did not.';
COMMENT ON COLUMN "webhook_deliveries"."created_at" IS 'When it was stored.';
COMMENT ON COLUMN "webhook_deliveries"."delivered_at" IS 'When it was delivered; null: not delivered.';
