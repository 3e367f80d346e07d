-- AlterTable
ALTER TABLE "apps" ADD COLUMN "quota_pause" JSONB,
ADD COLUMN "quota_paused_until" TIMESTAMPTZ(3);

COMMENT ON COLUMN "apps"."quota_paused_until" IS 'Until when runs do not call the provider with this app, because it throttles the app; null or past: not throttled.';
COMMENT ON COLUMN "apps"."quota_pause" IS '{class, code, message, action, providerRequestId}: why it was throttled last; null: never.';
