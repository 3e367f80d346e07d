-- AlterEnum
ALTER TYPE "alert_subject" ADD VALUE 'conversion';
ALTER TYPE "alert_subject" ADD VALUE 'payment';

-- AlterTable
ALTER TABLE "conversions" ADD COLUMN     "paused_failure" JSONB,
ADD COLUMN     "paused_reason" TEXT,
ADD COLUMN     "resumed_at" TIMESTAMPTZ(3);

-- Until now only users paused conversions.
UPDATE "conversions" SET "paused_reason" = 'user' WHERE "desired" = 'paused';

-- Rules about connections get the same alerts of conversions, and rules about destinations those of payments.
UPDATE "notification_rules" r SET "events" = r."events" || a."added"
  FROM (SELECT o."organization_id", o."id", array_agg(n."added" ORDER BY n."added") AS "added"
          FROM "notification_rules" o
          JOIN (VALUES ('connection.failing', 'conversion.failing'), ('connection.pause_pending', 'conversion.pause_pending'),
                       ('connection.paused', 'conversion.paused'), ('destination.unreachable', 'payment.webhook_missing')
               ) AS n("known", "added") ON n."known" = ANY (o."events")
         GROUP BY o."organization_id", o."id") a
 WHERE a."organization_id" = r."organization_id" AND a."id" = r."id";

COMMENT ON COLUMN "alerts"."kind" IS 'connection.failing, connection.pause_pending, connection.paused, the same of conversion, app.needs_reauth, destination.unreachable, payment.webhook_missing or webhook.disabled.';
COMMENT ON COLUMN "alerts"."subject_type" IS 'What it is about: connection, app, destination, webhook_endpoint, conversion or payment.';
COMMENT ON COLUMN "conversions"."paused_by" IS 'Firebase uid of the user who paused it; null: active, or paused automatically.';
COMMENT ON COLUMN "conversions"."paused_reason" IS 'Why it is paused: user, or failures (too many runs failed in a row); null: active.';
COMMENT ON COLUMN "conversions"."paused_failure" IS '{class, code, message, action, providerRequestId}: the failure that paused it automatically; null: paused by a user, or active.';
COMMENT ON COLUMN "conversions"."resumed_at" IS 'Failed runs before this time do not count towards the automatic pause; null: all since the last run that did not fail.';
