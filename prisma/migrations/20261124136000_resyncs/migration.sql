-- AlterEnum
ALTER TYPE "backfill_mode" ADD VALUE 'resync';

-- CreateTable
CREATE TABLE "resyncs" (
    "organization_id" UUID NOT NULL,
    "backfill_id" UUID NOT NULL,
    "table_name" TEXT NOT NULL,
    "loaded" JSONB,
    "replaced" JSONB,
    "swap_run_id" UUID,
    "swap_started_at" TIMESTAMPTZ(3),
    "swapped_at" TIMESTAMPTZ(3),
    "dropped_at" TIMESTAMPTZ(3),

    CONSTRAINT "resyncs_pkey" PRIMARY KEY ("organization_id","backfill_id")
);

-- CreateTable
CREATE TABLE "resync_days" (
    "organization_id" UUID NOT NULL,
    "backfill_id" UUID NOT NULL,
    "account_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "state" TEXT NOT NULL,
    "rows" BIGINT NOT NULL,
    "cost_micros" BIGINT NOT NULL,
    "clicks" BIGINT NOT NULL,
    "impressions" BIGINT NOT NULL,
    "conversions" DOUBLE PRECISION,
    "content_hash" TEXT,
    "verified_at" TIMESTAMPTZ(3) NOT NULL,
    "read_on" DATE NOT NULL,

    CONSTRAINT "resync_days_pkey" PRIMARY KEY ("organization_id","backfill_id","account_id","day")
);

-- CreateIndex
CREATE INDEX "resyncs_organization_id_swap_run_id_idx" ON "resyncs"("organization_id", "swap_run_id");

-- AddForeignKey
ALTER TABLE "resyncs" ADD CONSTRAINT "resyncs_organization_id_backfill_id_fkey" FOREIGN KEY ("organization_id", "backfill_id") REFERENCES "backfills"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "resync_days" ADD CONSTRAINT "resync_days_organization_id_backfill_id_fkey" FOREIGN KEY ("organization_id", "backfill_id") REFERENCES "resyncs"("organization_id", "backfill_id") ON DELETE RESTRICT ON UPDATE CASCADE;

COMMENT ON COLUMN "backfills"."mode" IS 'fill_missing reads days that are not loaded; replace reads every day again; resync loads a stream into a new table.';
COMMENT ON TABLE "resyncs" IS 'Re-syncs: backfills that load the whole history of one stream into a new table, which then takes the place of the old one.';
COMMENT ON COLUMN "resyncs"."organization_id" IS 'The organization that owns this row.';
COMMENT ON COLUMN "resyncs"."backfill_id" IS 'The backfill.';
COMMENT ON COLUMN "resyncs"."table_name" IS 'Name of the new table, without the prefix of the destination.';
COMMENT ON COLUMN "resyncs"."loaded" IS 'The new table as its first run found it: {place, table, columns}; null until then. Identifies the table after the swap.';
COMMENT ON COLUMN "resyncs"."replaced" IS 'The old table before the swap: {place, table, columns} with the columns whose copied values are unchanged; null: there is none.';
COMMENT ON COLUMN "resyncs"."swap_run_id" IS 'The run that reads the last days and swaps the tables; null: not queued.';
COMMENT ON COLUMN "resyncs"."swap_started_at" IS 'When the swap began; null: it has not begun, or the attempt was rolled back. It cannot be paused or canceled meanwhile.';
COMMENT ON COLUMN "resyncs"."swapped_at" IS 'When the swap was stored; null: not swapped.';
COMMENT ON COLUMN "resyncs"."dropped_at" IS 'When the new table of a canceled re-sync was dropped; null: not dropped.';
COMMENT ON TABLE "resync_days" IS 'Days in the new table of a re-sync. They become the coverage of the stream with the swap, and are then deleted.';
COMMENT ON COLUMN "resync_days"."organization_id" IS 'The organization that owns this row.';
COMMENT ON COLUMN "resync_days"."backfill_id" IS 'The backfill.';
COMMENT ON COLUMN "resync_days"."account_id" IS 'The provider''s id of the ad account.';
COMMENT ON COLUMN "resync_days"."day" IS 'The day, in the account''s calendar.';
COMMENT ON COLUMN "resync_days"."state" IS 'provisional, final or empty_confirmed, as in coverage.';
COMMENT ON COLUMN "resync_days"."rows" IS 'Rows that the destination reports.';
COMMENT ON COLUMN "resync_days"."cost_micros" IS 'Sum of the cost that the destination reports, in millionths.';
COMMENT ON COLUMN "resync_days"."clicks" IS 'Sum of the clicks that the destination reports.';
COMMENT ON COLUMN "resync_days"."impressions" IS 'Sum of the impressions that the destination reports.';
COMMENT ON COLUMN "resync_days"."conversions" IS 'Sum of the conversions that were sent; null: the stream has none.';
COMMENT ON COLUMN "resync_days"."content_hash" IS 'Hash of all values of the day at the destination; null if the destination cannot compute it.';
COMMENT ON COLUMN "resync_days"."verified_at" IS 'When the rows were requested from the platform.';
COMMENT ON COLUMN "resync_days"."read_on" IS 'The day of the request, in the account''s calendar.';
