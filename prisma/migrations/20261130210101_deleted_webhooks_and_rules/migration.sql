SET LOCAL lock_timeout = '5s';
SET LOCAL statement_timeout = '60s';

ALTER TABLE "notification_rules" ADD COLUMN "deleted_at" TIMESTAMPTZ(3);
ALTER TABLE "webhook_endpoints" ADD COLUMN "deleted_at" TIMESTAMPTZ(3);
COMMENT ON COLUMN "notification_rules"."deleted_at" IS 'When it was deleted, alone or with its webhook endpoint. It can be restored for 30 days; null: not deleted.';
COMMENT ON COLUMN "webhook_endpoints"."deleted_at" IS 'When it was deleted. It can be restored for 30 days; null: not deleted.';
