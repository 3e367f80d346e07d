-- AlterTable
ALTER TABLE "connections" ADD COLUMN     "left_out" JSONB NOT NULL DEFAULT '{}';

COMMENT ON COLUMN "connections"."left_out" IS 'Columns that are not written, by stream: {campaign_daily: [campaign_status]}.';
COMMENT ON COLUMN "connections"."schedule" IS '{kind: manual | interval | daily | cron, everyMinutes, atTime, cron, timeZone}.';
