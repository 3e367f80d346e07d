-- CreateEnum
CREATE TYPE "backfill_state" AS ENUM ('scheduled', 'running', 'paused', 'completed', 'completed_with_errors', 'failed', 'cancelled');

-- CreateEnum
CREATE TYPE "backfill_mode" AS ENUM ('fill_missing', 'replace');

-- CreateEnum
CREATE TYPE "chunk_state" AS ENUM ('pending', 'running', 'done', 'failed');

-- CreateEnum
CREATE TYPE "run_track" AS ENUM ('regular', 'reload', 'backfill');

-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "scope" JSONB,
ADD COLUMN     "track" "run_track" NOT NULL DEFAULT 'regular';

-- A backfill and a reload may run beside the regular run of the connection, but not beside another one of their track.
DROP INDEX "runs_one_active_per_connection";
CREATE UNIQUE INDEX "runs_one_active_per_connection_and_track" ON "runs" ("organization_id", "connection_id", "track") WHERE "ended_at" IS NULL;

-- CreateTable
CREATE TABLE "backfills" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "connection_id" UUID NOT NULL,
    "state" "backfill_state" NOT NULL DEFAULT 'scheduled',
    "mode" "backfill_mode" NOT NULL,
    "streams" TEXT[],
    "account_ids" TEXT[],
    "requested_from" DATE NOT NULL,
    "day_from" DATE NOT NULL,
    "day_to" DATE NOT NULL,
    "adjusted_reason" TEXT,
    "chunk_days" INTEGER NOT NULL,
    "estimate" JSONB NOT NULL,
    "paused_reason" TEXT,
    "failure" JSONB,
    "actor" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "backfills_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "backfill_chunks" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "backfill_id" UUID NOT NULL,
    "stream" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "day_from" DATE NOT NULL,
    "day_to" DATE NOT NULL,
    "state" "chunk_state" NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "run_id" UUID,
    "rows" BIGINT NOT NULL DEFAULT 0,
    "failure" JSONB,

    CONSTRAINT "backfill_chunks_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "backfills_organization_id_connection_id_created_at_idx" ON "backfills"("organization_id", "connection_id", "created_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "backfills_organization_id_id_key" ON "backfills"("organization_id", "id");

-- CreateIndex
CREATE INDEX "backfill_chunks_organization_id_backfill_id_day_to_idx" ON "backfill_chunks"("organization_id", "backfill_id", "day_to" DESC);

-- CreateIndex
CREATE INDEX "backfill_chunks_organization_id_run_id_idx" ON "backfill_chunks"("organization_id", "run_id");

-- CreateIndex
CREATE UNIQUE INDEX "backfill_chunks_organization_id_id_key" ON "backfill_chunks"("organization_id", "id");

-- AddForeignKey
ALTER TABLE "backfills" ADD CONSTRAINT "backfills_organization_id_connection_id_fkey" FOREIGN KEY ("organization_id", "connection_id") REFERENCES "connections"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "backfill_chunks" ADD CONSTRAINT "backfill_chunks_organization_id_backfill_id_fkey" FOREIGN KEY ("organization_id", "backfill_id") REFERENCES "backfills"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

COMMENT ON TABLE "backfills" IS 'Backfills: loads of past days of a connection that a user requested, newest first, beside the scheduled runs.';
COMMENT ON COLUMN "backfills"."id" IS 'UUIDv7.';
COMMENT ON COLUMN "backfills"."organization_id" IS 'The organization that owns this row.';
COMMENT ON COLUMN "backfills"."connection_id" IS 'The connection.';
COMMENT ON COLUMN "backfills"."state" IS 'scheduled, running, paused, completed, completed_with_errors, failed or cancelled. Allowed changes: backfills/backfill-states.ts.';
COMMENT ON COLUMN "backfills"."mode" IS 'fill_missing reads days that are not loaded; replace reads every day again.';
COMMENT ON COLUMN "backfills"."streams" IS 'Names of the streams.';
COMMENT ON COLUMN "backfills"."account_ids" IS 'The provider''s ids of the ad accounts.';
COMMENT ON COLUMN "backfills"."requested_from" IS 'First day that was requested, in the accounts'' calendars.';
COMMENT ON COLUMN "backfills"."day_from" IS 'First day that is loaded: later than requested if the platform no longer has the first days.';
COMMENT ON COLUMN "backfills"."day_to" IS 'Last day.';
COMMENT ON COLUMN "backfills"."adjusted_reason" IS 'Why the first day was moved; null: it was not.';
COMMENT ON COLUMN "backfills"."chunk_days" IS 'Largest number of days of a chunk. Halved when the platform finds a chunk too large.';
COMMENT ON COLUMN "backfills"."estimate" IS '{accountDays, apiCalls, rows, minutes} as shown before the start.';
COMMENT ON COLUMN "backfills"."paused_reason" IS 'Why it is paused: user, connection or subscription; null: it is not paused. The last two resume automatically.';
COMMENT ON COLUMN "backfills"."failure" IS 'Error that ended it: {class, code, message, action, providerRequestId}; null: none.';
COMMENT ON COLUMN "backfills"."actor" IS 'Firebase uid of the user who started it.';
COMMENT ON COLUMN "backfills"."created_at" IS 'When it was created.';
COMMENT ON COLUMN "backfills"."started_at" IS 'When its first run was queued; null: waiting.';
COMMENT ON COLUMN "backfills"."ended_at" IS 'When it ended; null: not ended.';
COMMENT ON TABLE "backfill_chunks" IS 'Chunks of backfills: one stream, one account, up to 31 days. Several chunks are loaded by one run.';
COMMENT ON COLUMN "backfill_chunks"."id" IS 'UUIDv7.';
COMMENT ON COLUMN "backfill_chunks"."organization_id" IS 'The organization that owns this row.';
COMMENT ON COLUMN "backfill_chunks"."backfill_id" IS 'The backfill.';
COMMENT ON COLUMN "backfill_chunks"."stream" IS 'Name of the stream.';
COMMENT ON COLUMN "backfill_chunks"."account_id" IS 'The provider''s id of the ad account.';
COMMENT ON COLUMN "backfill_chunks"."day_from" IS 'First day, in the account''s calendar.';
COMMENT ON COLUMN "backfill_chunks"."day_to" IS 'Last day, in the account''s calendar.';
COMMENT ON COLUMN "backfill_chunks"."state" IS 'pending, running, done or failed.';
COMMENT ON COLUMN "backfill_chunks"."attempts" IS 'Number of runs that were queued for it since the backfill was last started or resumed.';
COMMENT ON COLUMN "backfill_chunks"."run_id" IS 'The last run that was queued for it; null: none yet.';
COMMENT ON COLUMN "backfill_chunks"."rows" IS 'Rows that the destination reports for it.';
COMMENT ON COLUMN "backfill_chunks"."failure" IS 'Why it failed; null: it did not.';
COMMENT ON COLUMN "runs"."track" IS 'regular, reload or backfill. A connection has at most one active run of each track.';
COMMENT ON COLUMN "runs"."scope" IS '{isReplace, ranges: [{stream, accountId, from, to}]} of a reload or backfill; null: the run plans its days itself.';
