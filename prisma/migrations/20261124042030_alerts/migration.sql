-- CreateEnum
CREATE TYPE "alert_subject" AS ENUM ('connection', 'app', 'destination', 'webhook_endpoint');

-- CreateEnum
CREATE TYPE "notification_channel" AS ENUM ('in_app', 'mail', 'webhook', 'slack');

-- AlterTable
ALTER TABLE "connections" ADD COLUMN     "paused_failure" JSONB,
ADD COLUMN     "paused_reason" TEXT,
ADD COLUMN     "resumed_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "alerts" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "subject_type" "alert_subject" NOT NULL,
    "subject_id" UUID NOT NULL,
    "failure_class" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "opened_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "acknowledged_at" TIMESTAMPTZ(3),
    "acknowledged_by" TEXT,
    "recovered_at" TIMESTAMPTZ(3),
    "opening_notified_at" TIMESTAMPTZ(3),
    "recovery_notified_at" TIMESTAMPTZ(3),

    CONSTRAINT "alerts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "notification_rules" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "channel" "notification_channel" NOT NULL,
    "events" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "includes_recovery" BOOLEAN NOT NULL DEFAULT true,
    "roles" "member_role"[] DEFAULT ARRAY[]::"member_role"[],
    "member_ids" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "is_enabled" BOOLEAN NOT NULL DEFAULT true,
    "summarized_week" DATE NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_by" TEXT,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notification_rules_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "alerts_organization_id_id_key" ON "alerts"("organization_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "notification_rules_organization_id_id_key" ON "notification_rules"("organization_id", "id");

-- AddForeignKey
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notification_rules" ADD CONSTRAINT "notification_rules_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- One alert of a kind per subject that is not recovered.
CREATE UNIQUE INDEX "alerts_current" ON "alerts"("organization_id", "subject_id", "kind") WHERE "recovered_at" IS NULL;

-- Until now only users paused connections.
UPDATE "connections" SET "paused_reason" = 'user' WHERE "desired" = 'paused';

-- The rules that a new organization starts with. The ids are UUIDv7.
INSERT INTO "notification_rules" ("id", "organization_id", "channel", "events", "roles")
SELECT encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
         PLACING substring(int8send(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid,
       o."id", r."channel"::"notification_channel",
       '{connection.failing,connection.pause_pending,connection.paused,app.needs_reauth,destination.unreachable,webhook.disabled}',
       r."roles"::"member_role"[]
  FROM "organizations" o, (VALUES ('in_app', '{}'), ('mail', '{owner,admin}')) AS r("channel", "roles");

COMMENT ON TABLE "alerts" IS 'Problems that a user should know of. Open until acknowledged; recovered when the cause has ended. A partial unique index allows one alert of a kind per subject that is not recovered.';
COMMENT ON COLUMN "alerts"."id" IS 'UUIDv7; increases with the time of opening.';
COMMENT ON COLUMN "alerts"."organization_id" IS 'The organization that owns this row.';
COMMENT ON COLUMN "alerts"."kind" IS 'connection.failing, connection.pause_pending, connection.paused, app.needs_reauth, destination.unreachable or webhook.disabled.';
COMMENT ON COLUMN "alerts"."subject_type" IS 'What it is about: connection, app, destination or webhook_endpoint.';
COMMENT ON COLUMN "alerts"."subject_id" IS 'Id of what it is about.';
COMMENT ON COLUMN "alerts"."failure_class" IS 'Class of the failure: auth, permission, quota, transient, config, schema, destination, data or internal.';
COMMENT ON COLUMN "alerts"."code" IS 'Stable code of the last failure.';
COMMENT ON COLUMN "alerts"."message" IS 'Cause of the last failure, as a sentence.';
COMMENT ON COLUMN "alerts"."action" IS 'The action that resolves it.';
COMMENT ON COLUMN "alerts"."opened_at" IS 'When it was opened.';
COMMENT ON COLUMN "alerts"."acknowledged_at" IS 'When a user acknowledged it; null: not acknowledged.';
COMMENT ON COLUMN "alerts"."acknowledged_by" IS 'Firebase uid of the user who acknowledged it.';
COMMENT ON COLUMN "alerts"."recovered_at" IS 'When its cause ended; null: it has not ended.';
COMMENT ON COLUMN "alerts"."opening_notified_at" IS 'When the notifications of its opening were stored. They are never repeated.';
COMMENT ON COLUMN "alerts"."recovery_notified_at" IS 'When the notifications of its recovery were stored. They are never repeated.';
COMMENT ON TABLE "notification_rules" IS 'Who is notified of which alerts, and over which channel.';
COMMENT ON COLUMN "notification_rules"."id" IS 'UUIDv7.';
COMMENT ON COLUMN "notification_rules"."organization_id" IS 'The organization that owns this row.';
COMMENT ON COLUMN "notification_rules"."channel" IS 'in_app, mail, webhook or slack.';
COMMENT ON COLUMN "notification_rules"."events" IS 'Kinds of alerts, and weekly.summary.';
COMMENT ON COLUMN "notification_rules"."includes_recovery" IS 'Whether it also notifies when an alert recovers.';
COMMENT ON COLUMN "notification_rules"."roles" IS 'Roles whose members receive the mail.';
COMMENT ON COLUMN "notification_rules"."member_ids" IS 'Firebase uids of further members who receive the mail.';
COMMENT ON COLUMN "notification_rules"."is_enabled" IS 'Whether it is on.';
COMMENT ON COLUMN "notification_rules"."summarized_week" IS 'Monday of the last week for which the weekly summary was stored, in the organization''s time zone. A new rule starts with the next week.';
COMMENT ON COLUMN "notification_rules"."created_by" IS 'Firebase uid of the user who created it; null: created with the organization.';
COMMENT ON COLUMN "notification_rules"."version" IS 'Version for optimistic locking; every update adds 1.';
COMMENT ON COLUMN "notification_rules"."created_at" IS 'When it was created.';
COMMENT ON COLUMN "notification_rules"."updated_at" IS 'When it was last changed.';
COMMENT ON COLUMN "connections"."paused_by" IS 'Firebase uid of the user who paused it; null: active, or paused automatically.';
COMMENT ON COLUMN "connections"."paused_reason" IS 'Why it is paused: user, failures (too many runs failed in a row) or schema_change (its policy waits for a decision); null: active.';
COMMENT ON COLUMN "connections"."paused_failure" IS '{class, code, message, action, providerRequestId}: the failure that paused it automatically; null: paused by a user, or active.';
COMMENT ON COLUMN "connections"."resumed_at" IS 'Failed runs before this time do not count towards the automatic pause; null: all since the last run that did not fail.';
