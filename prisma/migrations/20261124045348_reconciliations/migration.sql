-- CreateEnum
CREATE TYPE "reconciliation_state" AS ENUM ('queued', 'running', 'done', 'failed', 'skipped');

-- CreateTable
CREATE TABLE "reconciliations" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "connection_id" UUID NOT NULL,
    "state" "reconciliation_state" NOT NULL DEFAULT 'queued',
    "trigger" TEXT NOT NULL,
    "actor" TEXT,
    "requested_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "faults" INTEGER NOT NULL DEFAULT 0,
    "accounts" INTEGER NOT NULL DEFAULT 0,
    "skipped_accounts" INTEGER NOT NULL DEFAULT 0,
    "excluded_accounts" INTEGER NOT NULL DEFAULT 0,
    "api_calls" INTEGER NOT NULL DEFAULT 0,
    "days" INTEGER NOT NULL DEFAULT 0,
    "late_days" INTEGER NOT NULL DEFAULT 0,
    "restated_days" INTEGER NOT NULL DEFAULT 0,
    "excluded_days" INTEGER NOT NULL DEFAULT 0,
    "lost_days" INTEGER NOT NULL DEFAULT 0,
    "differences" JSONB NOT NULL DEFAULT '[]',
    "failure" JSONB,
    "run_id" UUID,

    CONSTRAINT "reconciliations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "account_totals" (
    "organization_id" UUID NOT NULL,
    "connection_id" UUID NOT NULL,
    "account_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "cost_micros" BIGINT NOT NULL,
    "clicks" BIGINT NOT NULL,
    "impressions" BIGINT NOT NULL,
    "rounding_micros" BIGINT NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,
    "changed_at" TIMESTAMPTZ(3),
    "repaired_at" TIMESTAMPTZ(3),

    CONSTRAINT "account_totals_pkey" PRIMARY KEY ("organization_id","connection_id","account_id","day")
);

-- CreateIndex
CREATE INDEX "reconciliations_organization_id_connection_id_requested_at_idx" ON "reconciliations"("organization_id", "connection_id", "requested_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "reconciliations_organization_id_id_key" ON "reconciliations"("organization_id", "id");

-- AddForeignKey
ALTER TABLE "reconciliations" ADD CONSTRAINT "reconciliations_organization_id_connection_id_fkey" FOREIGN KEY ("organization_id", "connection_id") REFERENCES "connections"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account_totals" ADD CONSTRAINT "account_totals_organization_id_connection_id_fkey" FOREIGN KEY ("organization_id", "connection_id") REFERENCES "connections"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- One reconciliation of a connection at a time.
CREATE UNIQUE INDEX "reconciliations_one_active_per_connection" ON "reconciliations" ("organization_id", "connection_id") WHERE "ended_at" IS NULL;

COMMENT ON TABLE "reconciliations" IS 'Reconciliations: comparisons of loaded days with the provider''s own totals of the accounts. Lost and restated days become missing and are loaded again.';
COMMENT ON COLUMN "reconciliations"."id" IS 'UUIDv7.';
COMMENT ON COLUMN "reconciliations"."organization_id" IS 'The organization that owns this row.';
COMMENT ON COLUMN "reconciliations"."connection_id" IS 'The connection.';
COMMENT ON COLUMN "reconciliations"."state" IS 'queued, running, done, failed or skipped (with the reason in failure). A connection has one active reconciliation at a time.';
COMMENT ON COLUMN "reconciliations"."trigger" IS 'What requested it: night (nightly job) or user.';
COMMENT ON COLUMN "reconciliations"."actor" IS 'Firebase uid of the user who requested it; null for the nightly one.';
COMMENT ON COLUMN "reconciliations"."requested_at" IS 'When it was requested.';
COMMENT ON COLUMN "reconciliations"."started_at" IS 'When the last attempt started.';
COMMENT ON COLUMN "reconciliations"."ended_at" IS 'When it ended.';
COMMENT ON COLUMN "reconciliations"."faults" IS 'Number of retries after transient errors.';
COMMENT ON COLUMN "reconciliations"."accounts" IS 'Accounts whose totals were read.';
COMMENT ON COLUMN "reconciliations"."skipped_accounts" IS 'Accounts whose totals could not be read.';
COMMENT ON COLUMN "reconciliations"."excluded_accounts" IS 'Accounts of the app that are not part of the source.';
COMMENT ON COLUMN "reconciliations"."api_calls" IS 'Requests to the provider.';
COMMENT ON COLUMN "reconciliations"."days" IS 'Compared account-days, over all streams.';
COMMENT ON COLUMN "reconciliations"."late_days" IS 'Account-days that may still change or were last read while they could: read again by the next run.';
COMMENT ON COLUMN "reconciliations"."restated_days" IS 'Settled account-days that the provider changed.';
COMMENT ON COLUMN "reconciliations"."excluded_days" IS 'Account-days of streams that list only a part of the total.';
COMMENT ON COLUMN "reconciliations"."lost_days" IS 'Account-days with missing rows.';
COMMENT ON COLUMN "reconciliations"."differences" IS 'Ranges of days that differ: [{kind, reason, stream, accountId, from, to, days, loaded, platform}], the most serious first.';
COMMENT ON COLUMN "reconciliations"."failure" IS 'Why it failed or was skipped: {class, code, message, action, providerRequestId}.';
COMMENT ON COLUMN "reconciliations"."run_id" IS 'The run that loads lost and restated days; null: there are none, or the connection is paused.';
COMMENT ON TABLE "account_totals" IS 'Account totals: the provider''s own totals of an account and day, as the last reconciliation read them. They show when a provider changed a day.';
COMMENT ON COLUMN "account_totals"."organization_id" IS 'The organization that owns this row.';
COMMENT ON COLUMN "account_totals"."connection_id" IS 'The connection.';
COMMENT ON COLUMN "account_totals"."account_id" IS 'The provider''s id of the ad account.';
COMMENT ON COLUMN "account_totals"."day" IS 'The day, in the account''s calendar.';
COMMENT ON COLUMN "account_totals"."cost_micros" IS 'Cost in micros of the account''s currency.';
COMMENT ON COLUMN "account_totals"."clicks" IS 'Clicks.';
COMMENT ON COLUMN "account_totals"."impressions" IS 'Impressions.';
COMMENT ON COLUMN "account_totals"."rounding_micros" IS 'Largest difference of the cost that rounding can cause, for each row.';
COMMENT ON COLUMN "account_totals"."seen_at" IS 'When the day was first read.';
COMMENT ON COLUMN "account_totals"."changed_at" IS 'When these totals were first read instead of other ones; null: they have not changed since the first time.';
COMMENT ON COLUMN "account_totals"."repaired_at" IS 'When days that differ from these totals were marked as missing; null: none were.';
