-- CreateEnum
CREATE TYPE "freshness_state" AS ENUM ('waiting', 'late', 'complete');

-- AlterTable
ALTER TABLE "connections" ADD COLUMN     "freshness_target" JSONB;

-- CreateTable
CREATE TABLE "freshness_days" (
    "organization_id" UUID NOT NULL,
    "connection_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "state" "freshness_state" NOT NULL DEFAULT 'waiting',
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "check_at" TIMESTAMPTZ(3),
    "late_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),

    CONSTRAINT "freshness_days_pkey" PRIMARY KEY ("organization_id","connection_id","day")
);

-- CreateTable
CREATE TABLE "freshness_badges" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "connection_id" UUID,
    "label" TEXT NOT NULL,
    "token_hash" TEXT NOT NULL,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "freshness_badges_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "freshness_days_check_at_idx" ON "freshness_days"("check_at");

-- CreateIndex
CREATE UNIQUE INDEX "freshness_badges_token_hash_key" ON "freshness_badges"("token_hash");

-- CreateIndex
CREATE INDEX "freshness_badges_organization_id_connection_id_idx" ON "freshness_badges"("organization_id", "connection_id");

-- CreateIndex
CREATE UNIQUE INDEX "freshness_badges_organization_id_id_key" ON "freshness_badges"("organization_id", "id");

-- AddForeignKey
ALTER TABLE "freshness_days" ADD CONSTRAINT "freshness_days_organization_id_connection_id_fkey" FOREIGN KEY ("organization_id", "connection_id") REFERENCES "connections"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "freshness_badges" ADD CONSTRAINT "freshness_badges_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "freshness_badges" ADD CONSTRAINT "freshness_badges_organization_id_connection_id_fkey" FOREIGN KEY ("organization_id", "connection_id") REFERENCES "connections"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- One badge that works for each connection, and one for the organization.
CREATE UNIQUE INDEX "freshness_badges_one_each" ON "freshness_badges"("organization_id", coalesce("connection_id", "organization_id")) WHERE "revoked_at" IS NULL;

-- The rules that organizations were created with notify of late connections, too. No connection has a target yet.
UPDATE "notification_rules" SET "events" = array_append("events", 'connection.late')
 WHERE "created_by" IS NULL AND "channel" IN ('in_app', 'mail') AND 'connection.failing' = ANY("events");

COMMENT ON COLUMN "connections"."freshness_target" IS '{atTime: HH:MM, timeZone, daysAfter}: when each day must be complete; null: no target.';
COMMENT ON COLUMN "alerts"."kind" IS 'connection.failing, connection.late, connection.pause_pending, connection.paused, app.needs_reauth, destination.unreachable or webhook.disabled.';
COMMENT ON COLUMN "notification_rules"."events" IS 'Kinds of alerts, events of freshness, and weekly.summary.';
COMMENT ON TABLE "freshness_days" IS 'Days that are watched because their connection has a freshness target, from the first deadline after it was set. Stored for 400 days.';
COMMENT ON COLUMN "freshness_days"."organization_id" IS 'The organization that owns this row.';
COMMENT ON COLUMN "freshness_days"."connection_id" IS 'The connection.';
COMMENT ON COLUMN "freshness_days"."day" IS 'The day, in each account''s own calendar.';
COMMENT ON COLUMN "freshness_days"."state" IS 'waiting (for the deadline), late (not complete at the deadline) or complete. A change is stored with its notifications.';
COMMENT ON COLUMN "freshness_days"."due_at" IS 'The deadline.';
COMMENT ON COLUMN "freshness_days"."check_at" IS 'When it is checked next without an event; null: complete.';
COMMENT ON COLUMN "freshness_days"."late_at" IS 'When it became late; null: it was not.';
COMMENT ON COLUMN "freshness_days"."completed_at" IS 'When the last account-day was read that made it complete; null: not complete.';
COMMENT ON TABLE "freshness_badges" IS 'Public pictures of the freshness of a connection or organization. Their URL contains a token. A partial unique index allows one that is not revoked for each.';
COMMENT ON COLUMN "freshness_badges"."id" IS 'UUIDv7.';
COMMENT ON COLUMN "freshness_badges"."organization_id" IS 'The organization that owns this row.';
COMMENT ON COLUMN "freshness_badges"."connection_id" IS 'The connection that it shows; null: all connections with a freshness target.';
COMMENT ON COLUMN "freshness_badges"."label" IS 'The name on the badge, chosen by the user.';
COMMENT ON COLUMN "freshness_badges"."token_hash" IS 'SHA-256 of the token in its URL.';
COMMENT ON COLUMN "freshness_badges"."created_by" IS 'Firebase uid of the user who created it.';
COMMENT ON COLUMN "freshness_badges"."created_at" IS 'When it was created.';
COMMENT ON COLUMN "freshness_badges"."revoked_at" IS 'When it was revoked or replaced; null: it works.';
