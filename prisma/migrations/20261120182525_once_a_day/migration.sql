-- CreateTable
CREATE TABLE "learned_windows" (
    "organization_id" UUID NOT NULL,
    "source_id" UUID NOT NULL,
    "account_id" TEXT NOT NULL,
    "lookback_days" INTEGER NOT NULL,
    "learned_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "learned_windows_pkey" PRIMARY KEY ("organization_id","source_id","account_id")
);

-- CreateIndex
CREATE INDEX "run_log_entries_at_idx" ON "run_log_entries"("at");

-- AddForeignKey
ALTER TABLE "learned_windows" ADD CONSTRAINT "learned_windows_organization_id_source_id_fkey" FOREIGN KEY ("organization_id", "source_id") REFERENCES "sources"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- First and last day with rows of a connection, for the list of sources.
CREATE INDEX "coverage_with_rows" ON "coverage" ("organization_id", "connection_id", "day") WHERE "rows" > 0;
COMMENT ON TABLE "run_log_entries" IS 'What a run did, in words, and each request it made; secrets are never written here. Kept for 30 days.';
COMMENT ON TABLE "learned_windows" IS 'How far back an account may still change, as its platform said last: asked once a day, not with every run.';
COMMENT ON COLUMN "learned_windows"."organization_id" IS 'The organization it belongs to.';
COMMENT ON COLUMN "learned_windows"."source_id" IS 'The source.';
COMMENT ON COLUMN "learned_windows"."account_id" IS 'The provider''s account id.';
COMMENT ON COLUMN "learned_windows"."lookback_days" IS 'Days before today that may still change.';
COMMENT ON COLUMN "learned_windows"."learned_at" IS 'When the platform was asked.';
