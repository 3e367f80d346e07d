-- AlterTable
ALTER TABLE "push_endpoints" ADD COLUMN     "events_kept" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "last_event_at" TIMESTAMPTZ(3);

UPDATE "push_endpoints" p
   SET "events_kept" = kept.count, "last_event_at" = kept.last
  FROM (SELECT "organization_id", "app_id", count(*)::int AS count, max("received_at") AS last
          FROM "push_events" GROUP BY "organization_id", "app_id") kept
 WHERE p."organization_id" = kept."organization_id" AND p."app_id" = kept."app_id";

COMMENT ON COLUMN "push_endpoints"."events_kept" IS 'Rows of push_events of this app: changed in the transaction that stores or expires them.';
COMMENT ON COLUMN "push_endpoints"."last_event_at" IS 'When the last event was stored; null: none was.';
