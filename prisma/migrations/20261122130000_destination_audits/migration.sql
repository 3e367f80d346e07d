-- CreateEnum
CREATE TYPE "audit_state" AS ENUM ('queued', 'running', 'done', 'failed');

-- AlterTable
ALTER TABLE "coverage" ADD COLUMN "content_hash" TEXT;

-- CreateTable
CREATE TABLE "destination_audits" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "connection_id" UUID NOT NULL,
    "state" "audit_state" NOT NULL DEFAULT 'queued',
    "trigger" TEXT NOT NULL,
    "actor" TEXT,
    "requested_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "faults" INTEGER NOT NULL DEFAULT 0,
    "tables" INTEGER NOT NULL DEFAULT 0,
    "days" INTEGER NOT NULL DEFAULT 0,
    "days_by_sums" INTEGER NOT NULL DEFAULT 0,
    "rows" BIGINT NOT NULL DEFAULT 0,
    "differing_days" INTEGER NOT NULL DEFAULT 0,
    "differences" JSONB NOT NULL DEFAULT '[]',
    "failure" JSONB,
    "run_id" UUID,

    CONSTRAINT "destination_audits_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "destination_audits_organization_id_connection_id_requested__idx" ON "destination_audits"("organization_id", "connection_id", "requested_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "destination_audits_organization_id_id_key" ON "destination_audits"("organization_id", "id");

-- One audit of a connection at a time.
CREATE UNIQUE INDEX "destination_audits_one_active_per_connection" ON "destination_audits" ("organization_id", "connection_id") WHERE "ended_at" IS NULL;

-- AddForeignKey
ALTER TABLE "destination_audits" ADD CONSTRAINT "destination_audits_organization_id_connection_id_fkey" FOREIGN KEY ("organization_id", "connection_id") REFERENCES "connections"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

COMMENT ON COLUMN "coverage"."content_hash" IS 'Hash of the counts and sums of every column, as the destination reported them after the load; null where it cannot or was not asked.';
COMMENT ON TABLE "destination_audits" IS 'A comparison of a connection''s destination with what was loaded. Days that differ become missing and are loaded again.';
COMMENT ON COLUMN "destination_audits"."id" IS 'UUIDv7.';
COMMENT ON COLUMN "destination_audits"."organization_id" IS 'The organization it belongs to.';
COMMENT ON COLUMN "destination_audits"."connection_id" IS 'The connection.';
COMMENT ON COLUMN "destination_audits"."state" IS 'queued, running, done or failed. One audit of a connection at a time.';
COMMENT ON COLUMN "destination_audits"."trigger" IS 'What requested it: night or user.';
COMMENT ON COLUMN "destination_audits"."actor" IS 'uid of who requested it; null for the nightly audit.';
COMMENT ON COLUMN "destination_audits"."requested_at" IS 'When it was requested.';
COMMENT ON COLUMN "destination_audits"."started_at" IS 'When the comparison began.';
COMMENT ON COLUMN "destination_audits"."ended_at" IS 'When it ended.';
COMMENT ON COLUMN "destination_audits"."faults" IS 'How often it was tried after an error that may pass.';
COMMENT ON COLUMN "destination_audits"."tables" IS 'Tables compared.';
COMMENT ON COLUMN "destination_audits"."days" IS 'Account-days compared, over all tables.';
COMMENT ON COLUMN "destination_audits"."days_by_sums" IS 'Account-days among them of which only rows, cost, clicks and impressions are known: loaded before every column was.';
COMMENT ON COLUMN "destination_audits"."rows" IS 'Rows the destination holds in the compared days.';
COMMENT ON COLUMN "destination_audits"."differing_days" IS 'Account-days that differ.';
COMMENT ON COLUMN "destination_audits"."differences" IS '[{stream, table, accountId, from, to, days, rowsMissing, rowsExtra, costMissing, costExtra, lostColumns}] ranges of days that differ.';
COMMENT ON COLUMN "destination_audits"."failure" IS 'Why it failed: {class, code, message, action, providerRequestId}.';
COMMENT ON COLUMN "destination_audits"."run_id" IS 'The run that loads what differed; null when nothing did.';
