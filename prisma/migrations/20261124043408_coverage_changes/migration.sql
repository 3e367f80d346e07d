-- AlterTable
ALTER TABLE "coverage" ADD COLUMN     "conversions" DOUBLE PRECISION,
ADD COLUMN     "settled_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "coverage_changes" (
    "organization_id" UUID NOT NULL,
    "connection_id" UUID NOT NULL,
    "stream" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,
    "revision" INTEGER NOT NULL,
    "run_id" UUID NOT NULL,
    "age_days" INTEGER NOT NULL,
    "was_settled" BOOLEAN NOT NULL,
    "rows_before" BIGINT NOT NULL,
    "rows_after" BIGINT NOT NULL,
    "cost_micros_before" BIGINT NOT NULL,
    "cost_micros_after" BIGINT NOT NULL,
    "clicks_before" BIGINT NOT NULL,
    "clicks_after" BIGINT NOT NULL,
    "impressions_before" BIGINT NOT NULL,
    "impressions_after" BIGINT NOT NULL,
    "conversions_before" DOUBLE PRECISION,
    "conversions_after" DOUBLE PRECISION,

    CONSTRAINT "coverage_changes_pkey" PRIMARY KEY ("organization_id","connection_id","stream","account_id","day","changed_at")
);

-- CreateIndex
CREATE INDEX "coverage_changes_organization_id_changed_at_idx" ON "coverage_changes"("organization_id", "changed_at");

-- AddForeignKey
ALTER TABLE "coverage_changes" ADD CONSTRAINT "coverage_changes_organization_id_connection_id_fkey" FOREIGN KEY ("organization_id", "connection_id") REFERENCES "connections"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

COMMENT ON COLUMN "coverage"."conversions" IS 'Conversions of the rows, in the stream''s column of conversions or purchases; null: the stream has none, or they were loaded by an earlier version.';
COMMENT ON COLUMN "coverage"."settled_at" IS 'When it was first loaded as settled; null: not settled yet, or settled before this was stored.';
COMMENT ON TABLE "coverage_changes" IS 'Coverage changes: how the sums of a day changed after the first load. A load that changes nothing adds no row. Stored for 400 days.';
COMMENT ON COLUMN "coverage_changes"."organization_id" IS 'The organization that owns this row.';
COMMENT ON COLUMN "coverage_changes"."connection_id" IS 'The connection.';
COMMENT ON COLUMN "coverage_changes"."stream" IS 'Name of the stream.';
COMMENT ON COLUMN "coverage_changes"."account_id" IS 'The provider''s id of the ad account.';
COMMENT ON COLUMN "coverage_changes"."day" IS 'The day, in the account''s calendar.';
COMMENT ON COLUMN "coverage_changes"."changed_at" IS 'When the changed sums were committed.';
COMMENT ON COLUMN "coverage_changes"."revision" IS 'Number of the change, from 1.';
COMMENT ON COLUMN "coverage_changes"."run_id" IS 'The run that loaded the changed rows.';
COMMENT ON COLUMN "coverage_changes"."age_days" IS 'Days between the day and the load, in the account''s calendar.';
COMMENT ON COLUMN "coverage_changes"."was_settled" IS 'Whether the day was settled before the change: it is a restatement.';
COMMENT ON COLUMN "coverage_changes"."rows_before" IS 'Rows before the change.';
COMMENT ON COLUMN "coverage_changes"."rows_after" IS 'Rows after the change.';
COMMENT ON COLUMN "coverage_changes"."cost_micros_before" IS 'Cost before the change, in micros of the account''s currency.';
COMMENT ON COLUMN "coverage_changes"."cost_micros_after" IS 'Cost after the change, in micros of the account''s currency.';
COMMENT ON COLUMN "coverage_changes"."clicks_before" IS 'Clicks before the change.';
COMMENT ON COLUMN "coverage_changes"."clicks_after" IS 'Clicks after the change.';
COMMENT ON COLUMN "coverage_changes"."impressions_before" IS 'Impressions before the change.';
COMMENT ON COLUMN "coverage_changes"."impressions_after" IS 'Impressions after the change.';
COMMENT ON COLUMN "coverage_changes"."conversions_before" IS 'Conversions before the change; null: not known.';
COMMENT ON COLUMN "coverage_changes"."conversions_after" IS 'Conversions after the change; null: not known.';
