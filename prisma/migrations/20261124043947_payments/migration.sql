-- CreateEnum
CREATE TYPE "amount_mode" AS ENUM ('gross', 'net');

-- AlterEnum
ALTER TYPE "auth_mode" ADD VALUE 'api_key';

-- AlterEnum
ALTER TYPE "provider" ADD VALUE 'stripe';

-- AlterTable
ALTER TABLE "connections" ADD COLUMN     "payment_id" UUID;

-- CreateTable
CREATE TABLE "payments" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "app_id" UUID NOT NULL,
    "source_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "events" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "customer_id_type" TEXT NOT NULL,
    "amount_mode" "amount_mode" NOT NULL DEFAULT 'gross',
    "history_from" DATE NOT NULL,
    "desired" "desired" NOT NULL DEFAULT 'active',
    "paused_at" TIMESTAMPTZ(3),
    "paused_by" TEXT,
    "webhook_secret" TEXT,
    "webhook_secret_at" TIMESTAMPTZ(3),
    "last_webhook_at" TIMESTAMPTZ(3),
    "last_event_at" TIMESTAMPTZ(3),
    "webhooks_checked_at" TIMESTAMPTZ(3),
    "webhook_missing_since" TIMESTAMPTZ(3),
    "webhooks_missing" INTEGER NOT NULL DEFAULT 0,
    "created_by" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "payments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "payment_webhook_events" (
    "organization_id" UUID NOT NULL,
    "payment_id" UUID NOT NULL,
    "id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "happened_at" TIMESTAMPTZ(3) NOT NULL,
    "days" DATE[],
    "delivered_at" TIMESTAMPTZ(3),
    "applied_at" TIMESTAMPTZ(3),
    "stored_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "payment_webhook_events_pkey" PRIMARY KEY ("organization_id","payment_id","id")
);

-- CreateIndex
CREATE INDEX "payments_organization_id_app_id_idx" ON "payments"("organization_id", "app_id");

-- CreateIndex
CREATE INDEX "payments_organization_id_source_id_idx" ON "payments"("organization_id", "source_id");

-- CreateIndex
CREATE UNIQUE INDEX "payments_organization_id_id_key" ON "payments"("organization_id", "id");

-- CreateIndex
CREATE INDEX "payment_webhook_events_organization_id_payment_id_applied_a_idx" ON "payment_webhook_events"("organization_id", "payment_id", "applied_at");

-- CreateIndex
CREATE INDEX "payment_webhook_events_organization_id_payment_id_happened__idx" ON "payment_webhook_events"("organization_id", "payment_id", "happened_at");

-- CreateIndex
CREATE INDEX "payment_webhook_events_stored_at_idx" ON "payment_webhook_events"("stored_at");

-- CreateIndex
CREATE INDEX "connections_organization_id_payment_id_idx" ON "connections"("organization_id", "payment_id");

-- AddForeignKey
ALTER TABLE "connections" ADD CONSTRAINT "connections_organization_id_payment_id_fkey" FOREIGN KEY ("organization_id", "payment_id") REFERENCES "payments"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payments" ADD CONSTRAINT "payments_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payments" ADD CONSTRAINT "payments_organization_id_app_id_fkey" FOREIGN KEY ("organization_id", "app_id") REFERENCES "apps"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payments" ADD CONSTRAINT "payments_organization_id_source_id_fkey" FOREIGN KEY ("organization_id", "source_id") REFERENCES "sources"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payment_webhook_events" ADD CONSTRAINT "payment_webhook_events_organization_id_payment_id_fkey" FOREIGN KEY ("organization_id", "payment_id") REFERENCES "payments"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- At most one payment of an app is not deleted, because the address of its webhooks names the app.
CREATE UNIQUE INDEX "payments_one_of_an_app" ON "payments"("organization_id", "app_id") WHERE "deleted_at" IS NULL;

COMMENT ON COLUMN "apps"."provider" IS 'The platform: google_ads, meta_ads, microsoft_ads, bigquery, mixpanel, postgresql, stripe or custom.';
COMMENT ON COLUMN "apps"."auth_mode" IS 'How it authenticates: oauth2, service_account, password, api_key or push_key.';
COMMENT ON COLUMN "connections"."payment_id" IS 'The payment that it loads; null: an ordinary connection. It is changed together with the payment only.';
COMMENT ON TABLE "payments" IS 'Loads the revenue events of a Stripe account into destinations. Each destination is one connection of its source.';
COMMENT ON COLUMN "payments"."id" IS 'UUIDv7.';
COMMENT ON COLUMN "payments"."organization_id" IS 'The organization that owns this row.';
COMMENT ON COLUMN "payments"."app_id" IS 'The Stripe app. An app has at most one payment that is not deleted.';
COMMENT ON COLUMN "payments"."source_id" IS 'The source that its connections read. It is changed together with the payment only.';
COMMENT ON COLUMN "payments"."name" IS 'Display name.';
COMMENT ON COLUMN "payments"."events" IS 'Names of the events that are loaded, such as payment_received.';
COMMENT ON COLUMN "payments"."customer_id_type" IS 'What identifies a customer: stripe_id, email, or metadata: and a key.';
COMMENT ON COLUMN "payments"."amount_mode" IS 'Whether amounts are before (gross) or after (net) Stripe''s fees.';
COMMENT ON COLUMN "payments"."history_from" IS 'First day to load, in UTC.';
COMMENT ON COLUMN "payments"."desired" IS 'Desired state: active or paused.';
COMMENT ON COLUMN "payments"."paused_at" IS 'When it was paused; null: active.';
COMMENT ON COLUMN "payments"."paused_by" IS 'Firebase uid of the user who paused it.';
COMMENT ON COLUMN "payments"."webhook_secret" IS 'Encrypted signing secret of the webhook endpoint; null: not entered yet.';
COMMENT ON COLUMN "payments"."webhook_secret_at" IS 'When the signing secret was entered.';
COMMENT ON COLUMN "payments"."last_webhook_at" IS 'When the last signed webhook arrived; null: none.';
COMMENT ON COLUMN "payments"."last_event_at" IS 'When the last event happened at Stripe, as far as known; null: none.';
COMMENT ON COLUMN "payments"."webhooks_checked_at" IS 'When Stripe''s list of events was last compared with the webhooks that arrived; null: never.';
COMMENT ON COLUMN "payments"."webhook_missing_since" IS 'Since when events of Stripe are not delivered; null: all were delivered.';
COMMENT ON COLUMN "payments"."webhooks_missing" IS 'Events that the last comparison found and that no webhook had delivered.';
COMMENT ON COLUMN "payments"."created_by" IS 'Firebase uid of the user who created it.';
COMMENT ON COLUMN "payments"."version" IS 'Version for optimistic locking; every update adds 1.';
COMMENT ON COLUMN "payments"."created_at" IS 'When it was created.';
COMMENT ON COLUMN "payments"."updated_at" IS 'When it was last changed.';
COMMENT ON COLUMN "payments"."deleted_at" IS 'When it was deleted. It can be restored for 30 days; null: not deleted.';
COMMENT ON TABLE "payment_webhook_events" IS 'Events of Stripe that arrived by webhook or were found in Stripe''s list. They only mark days to be read again. Stored for 35 days.';
COMMENT ON COLUMN "payment_webhook_events"."organization_id" IS 'The organization that owns this row.';
COMMENT ON COLUMN "payment_webhook_events"."payment_id" IS 'The payment.';
COMMENT ON COLUMN "payment_webhook_events"."id" IS 'Stripe''s id of the event.';
COMMENT ON COLUMN "payment_webhook_events"."type" IS 'Stripe''s type of the event, such as charge.succeeded.';
COMMENT ON COLUMN "payment_webhook_events"."happened_at" IS 'When it happened at Stripe.';
COMMENT ON COLUMN "payment_webhook_events"."days" IS 'Days in UTC whose rows it may change.';
COMMENT ON COLUMN "payment_webhook_events"."delivered_at" IS 'When a webhook delivered it; null: found in Stripe''s list.';
COMMENT ON COLUMN "payment_webhook_events"."applied_at" IS 'When its days were marked to be read again; null: not yet.';
COMMENT ON COLUMN "payment_webhook_events"."stored_at" IS 'When it was stored.';
