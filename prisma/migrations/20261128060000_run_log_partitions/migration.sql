SET LOCAL lock_timeout = '5s';
SET LOCAL statement_timeout = '60s';

-- The log of runs has one partition for each month, so that old lines are dropped with their partition instead of deleted one by one.
-- Partitions have a schema of their own, in which the application has no privileges: their table has the row-level security.

CREATE SCHEMA "partitions";
COMMENT ON SCHEMA "partitions" IS 'Partitions of tables of the schema public. Read them through their table.';

-- The present table becomes the first partition. Its lines are read once, to compare their time with the bound of the partition.
ALTER TABLE "run_log_entries" SET SCHEMA "partitions";
-- squawk-ignore renaming-table
ALTER TABLE "partitions"."run_log_entries" RENAME TO "run_log_entries_first";
ALTER TABLE "partitions"."run_log_entries_first" DISABLE ROW LEVEL SECURITY;
DROP POLICY "tenant" ON "partitions"."run_log_entries_first";
ALTER TABLE "partitions"."run_log_entries_first" DROP CONSTRAINT "run_log_entries_pkey";
-- squawk-ignore require-concurrent-index-deletion
DROP INDEX "partitions"."run_log_entries_at_idx";
ALTER INDEX "partitions"."run_log_entries_organization_id_run_id_id_idx" RENAME TO "run_log_entries_first_run_idx";
ALTER SEQUENCE "partitions"."run_log_entries_id_seq" OWNED BY NONE;
ALTER SEQUENCE "partitions"."run_log_entries_id_seq" SET SCHEMA "public";

CREATE TABLE "run_log_entries" (
    "id" BIGINT NOT NULL DEFAULT nextval('"run_log_entries_id_seq"'),
    "organization_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "level" "log_level" NOT NULL DEFAULT 'info',
    "message" TEXT NOT NULL,
    "request" JSONB,

    CONSTRAINT "run_log_entries_pkey" PRIMARY KEY ("id", "at"),
    CONSTRAINT "run_log_entries_organization_id_run_id_fkey" FOREIGN KEY ("organization_id", "run_id") REFERENCES "runs"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE
) PARTITION BY RANGE ("at");
CREATE INDEX "run_log_entries_organization_id_run_id_id_idx" ON "run_log_entries"("organization_id", "run_id", "id");
ALTER SEQUENCE "run_log_entries_id_seq" OWNED BY "run_log_entries"."id";
CALL "protect_tenant_table"('run_log_entries');

COMMENT ON TABLE "run_log_entries" IS 'Log of a run: messages and requests. Never contains secrets. One partition for each month, in the schema `partitions`; it is dropped when all its lines are older than 30 days.';
COMMENT ON COLUMN "run_log_entries"."id" IS 'Sequence number; increases in the order of writing.';
COMMENT ON COLUMN "run_log_entries"."organization_id" IS 'The organization that owns this row.';
COMMENT ON COLUMN "run_log_entries"."run_id" IS 'The run.';
COMMENT ON COLUMN "run_log_entries"."at" IS 'When it happened.';
COMMENT ON COLUMN "run_log_entries"."level" IS 'info, warn or error.';
COMMENT ON COLUMN "run_log_entries"."message" IS 'Log message; for a request, its method and URL.';
COMMENT ON COLUMN "run_log_entries"."request" IS '{method, url, status, durationMs, providerRequestId} of a request; null for other messages.';

-- Up to the end of this month, in UTC.
DO $$
BEGIN
  EXECUTE format('ALTER TABLE run_log_entries ATTACH PARTITION partitions.run_log_entries_first FOR VALUES FROM (MINVALUE) TO (%L)',
    (date_trunc('month', now() AT TIME ZONE 'UTC') + interval '1 month') AT TIME ZONE 'UTC');
END $$;
-- For lines of months that have no partition, so that none is ever rejected.
CREATE TABLE "partitions"."run_log_entries_other" PARTITION OF "run_log_entries" DEFAULT;

-- The application is not the owner of the tables, so it calls this function, which creates and drops partitions as their owner.
CREATE FUNCTION "maintain_run_log_partitions"(keep interval) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '2s' SET timezone = 'UTC' AS $$
DECLARE
  month timestamptz;
  past record;
BEGIN
  FOR month IN SELECT date_trunc('month', now()) + make_interval(months => number) FROM generate_series(0, 2) AS number LOOP
    CONTINUE WHEN EXISTS (
      SELECT FROM pg_inherits JOIN pg_class AS part ON part.oid = inhrelid
      WHERE inhparent = 'public.run_log_entries'::regclass AND pg_get_expr(part.relpartbound, part.oid) LIKE format('%%TO (%L)', month + interval '1 month')
    ) OR EXISTS (SELECT FROM partitions.run_log_entries_other WHERE at >= month AND at < month + interval '1 month');
    EXECUTE format('CREATE TABLE partitions.%I PARTITION OF public.run_log_entries FOR VALUES FROM (%L) TO (%L)',
      'run_log_entries_' || to_char(month, 'YYYY_MM'), month, month + interval '1 month');
  END LOOP;
  FOR past IN
    SELECT part.oid::regclass AS name FROM pg_inherits JOIN pg_class AS part ON part.oid = inhrelid
    WHERE inhparent = 'public.run_log_entries'::regclass
      AND substring(pg_get_expr(part.relpartbound, part.oid) FROM 'TO \(''([^'']+)''\)')::timestamptz <= now() - keep
  LOOP
    EXECUTE format('DROP TABLE %s', past.name);
  END LOOP;
  DELETE FROM partitions.run_log_entries_other WHERE at < now() - keep;
END $$;
REVOKE ALL ON FUNCTION "maintain_run_log_partitions"(interval) FROM PUBLIC;
COMMENT ON FUNCTION "maintain_run_log_partitions"(interval) IS 'Creates the partitions of the run log for this month and the next two, and drops those whose lines are all older than keep.';

SELECT "maintain_run_log_partitions"(interval '30 days');
