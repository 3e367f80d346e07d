-- CreateEnum
CREATE TYPE "count_rule" AS ENUM ('first_only', 'every');

-- CreateEnum
CREATE TYPE "unknown_consent" AS ENUM ('block', 'send');

-- CreateEnum
CREATE TYPE "unknown_outcome" AS ENUM ('resend', 'hold');

-- CreateEnum
CREATE TYPE "conversion_run_state" AS ENUM ('running', 'waiting', 'succeeded', 'partial', 'failed');

-- CreateEnum
CREATE TYPE "conversion_request_state" AS ENUM ('sending', 'answered', 'processing', 'processed', 'partly_processed', 'unknown');

-- CreateEnum
CREATE TYPE "conversion_event_state" AS ENUM ('ineligible', 'queued', 'sent', 'accepted', 'processed', 'unmatched', 'rejected', 'retrying', 'dead', 'expired', 'adjusted');

-- AlterTable
ALTER TABLE "push_events" ADD COLUMN     "sealed_payload" TEXT,
ALTER COLUMN "payload" DROP NOT NULL;

-- CreateTable
CREATE TABLE "conversions" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "source_app_id" UUID,
    "source_destination_id" UUID,
    "source_settings" JSONB NOT NULL DEFAULT '{}',
    "target_app_id" UUID NOT NULL,
    "target_account_id" TEXT NOT NULL,
    "target_name" TEXT NOT NULL,
    "target_settings" JSONB NOT NULL,
    "filter" JSONB NOT NULL DEFAULT '[]',
    "mapping" JSONB NOT NULL,
    "hashed_fields" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "count_rule" "count_rule" NOT NULL DEFAULT 'every',
    "on_unknown_consent" "unknown_consent" NOT NULL DEFAULT 'block',
    "on_unknown_outcome" "unknown_outcome" NOT NULL DEFAULT 'resend',
    "default_country" TEXT,
    "hashes_external_id" BOOLEAN NOT NULL DEFAULT true,
    "sends_adjustments" BOOLEAN NOT NULL DEFAULT false,
    "test_code" TEXT,
    "schedule" JSONB NOT NULL,
    "next_run_at" TIMESTAMPTZ(3),
    "since" TIMESTAMPTZ(3) NOT NULL,
    "cursor" JSONB,
    "desired" "desired" NOT NULL DEFAULT 'active',
    "paused_at" TIMESTAMPTZ(3),
    "paused_by" TEXT,
    "failure" JSONB,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "waiting_until" TIMESTAMPTZ(3),
    "lease_epoch" BIGINT NOT NULL DEFAULT 0,
    "created_by" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "conversions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "conversion_runs" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "conversion_id" UUID NOT NULL,
    "state" "conversion_run_state" NOT NULL DEFAULT 'running',
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),
    "records_read" INTEGER NOT NULL DEFAULT 0,
    "bytes_read" BIGINT NOT NULL DEFAULT 0,
    "events_new" INTEGER NOT NULL DEFAULT 0,
    "events_sent" INTEGER NOT NULL DEFAULT 0,
    "events_accepted" INTEGER NOT NULL DEFAULT 0,
    "events_rejected" INTEGER NOT NULL DEFAULT 0,
    "failure" JSONB,

    CONSTRAINT "conversion_runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "conversion_requests" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "conversion_id" UUID NOT NULL,
    "state" "conversion_request_state" NOT NULL DEFAULT 'sending',
    "is_adjustment" BOOLEAN NOT NULL DEFAULT false,
    "event_count" INTEGER NOT NULL,
    "sent_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "provider_request_id" TEXT,
    "next_status_at" TIMESTAMPTZ(3),
    "status_polls" INTEGER NOT NULL DEFAULT 0,
    "counts" JSONB,
    "answered_at" TIMESTAMPTZ(3),

    CONSTRAINT "conversion_requests_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "conversion_events" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "conversion_id" UUID NOT NULL,
    "dedupe_key" TEXT NOT NULL,
    "adjusts" TEXT,
    "state" "conversion_event_state" NOT NULL,
    "code" TEXT,
    "message" TEXT,
    "occurred_at" TIMESTAMPTZ(3),
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "received_on" DATE NOT NULL,
    "order_id" TEXT,
    "click_id" TEXT,
    "person_key" TEXT,
    "value" DECIMAL(24,6),
    "currency" TEXT,
    "identifiers" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "payload" JSONB,
    "private_fields" TEXT,
    "rules_version" TEXT,
    "notes" JSONB NOT NULL DEFAULT '[]',
    "history" JSONB NOT NULL DEFAULT '[]',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "sent_at" TIMESTAMPTZ(3),
    "request_id" UUID,
    "request_index" INTEGER,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "conversion_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "conversion_counts" (
    "organization_id" UUID NOT NULL,
    "conversion_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "state" "conversion_event_state" NOT NULL,
    "events" INTEGER NOT NULL,

    CONSTRAINT "conversion_counts_pkey" PRIMARY KEY ("organization_id","conversion_id","day","state")
);

-- CreateIndex
CREATE INDEX "conversions_organization_id_source_app_id_idx" ON "conversions"("organization_id", "source_app_id");

-- CreateIndex
CREATE INDEX "conversions_organization_id_source_destination_id_idx" ON "conversions"("organization_id", "source_destination_id");

-- CreateIndex
CREATE INDEX "conversions_organization_id_target_app_id_idx" ON "conversions"("organization_id", "target_app_id");

-- CreateIndex
CREATE INDEX "conversions_next_run_at_idx" ON "conversions"("next_run_at");

-- CreateIndex
CREATE UNIQUE INDEX "conversions_organization_id_id_key" ON "conversions"("organization_id", "id");

-- CreateIndex
CREATE INDEX "conversion_runs_organization_id_conversion_id_id_idx" ON "conversion_runs"("organization_id", "conversion_id", "id");

-- CreateIndex
CREATE INDEX "conversion_requests_organization_id_conversion_id_next_stat_idx" ON "conversion_requests"("organization_id", "conversion_id", "next_status_at");

-- CreateIndex
CREATE UNIQUE INDEX "conversion_requests_organization_id_id_key" ON "conversion_requests"("organization_id", "id");

-- CreateIndex
CREATE INDEX "conversion_events_organization_id_conversion_id_state_id_idx" ON "conversion_events"("organization_id", "conversion_id", "state", "id");

-- CreateIndex
CREATE INDEX "conversion_events_organization_id_conversion_id_next_attemp_idx" ON "conversion_events"("organization_id", "conversion_id", "next_attempt_at");

-- CreateIndex
CREATE INDEX "conversion_events_organization_id_conversion_id_person_key_idx" ON "conversion_events"("organization_id", "conversion_id", "person_key");

-- CreateIndex
CREATE INDEX "conversion_events_organization_id_conversion_id_adjusts_idx" ON "conversion_events"("organization_id", "conversion_id", "adjusts");

-- CreateIndex
CREATE INDEX "conversion_events_organization_id_conversion_id_id_idx" ON "conversion_events"("organization_id", "conversion_id", "id");

-- CreateIndex
CREATE INDEX "conversion_events_organization_id_order_id_idx" ON "conversion_events"("organization_id", "order_id");

-- CreateIndex
CREATE INDEX "conversion_events_organization_id_click_id_idx" ON "conversion_events"("organization_id", "click_id");

-- CreateIndex
CREATE INDEX "conversion_events_organization_id_request_id_idx" ON "conversion_events"("organization_id", "request_id");

-- CreateIndex
CREATE UNIQUE INDEX "conversion_events_organization_id_conversion_id_dedupe_key_key" ON "conversion_events"("organization_id", "conversion_id", "dedupe_key");

-- AddForeignKey
ALTER TABLE "conversions" ADD CONSTRAINT "conversions_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "conversions" ADD CONSTRAINT "conversions_organization_id_source_app_id_fkey" FOREIGN KEY ("organization_id", "source_app_id") REFERENCES "apps"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "conversions" ADD CONSTRAINT "conversions_organization_id_source_destination_id_fkey" FOREIGN KEY ("organization_id", "source_destination_id") REFERENCES "destinations"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "conversions" ADD CONSTRAINT "conversions_organization_id_target_app_id_fkey" FOREIGN KEY ("organization_id", "target_app_id") REFERENCES "apps"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "conversion_runs" ADD CONSTRAINT "conversion_runs_organization_id_conversion_id_fkey" FOREIGN KEY ("organization_id", "conversion_id") REFERENCES "conversions"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "conversion_requests" ADD CONSTRAINT "conversion_requests_organization_id_conversion_id_fkey" FOREIGN KEY ("organization_id", "conversion_id") REFERENCES "conversions"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "conversion_events" ADD CONSTRAINT "conversion_events_organization_id_conversion_id_fkey" FOREIGN KEY ("organization_id", "conversion_id") REFERENCES "conversions"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "conversion_events" ADD CONSTRAINT "conversion_events_organization_id_request_id_fkey" FOREIGN KEY ("organization_id", "request_id") REFERENCES "conversion_requests"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "conversion_counts" ADD CONSTRAINT "conversion_counts_organization_id_conversion_id_fkey" FOREIGN KEY ("organization_id", "conversion_id") REFERENCES "conversions"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Comments
COMMENT ON TABLE "conversions" IS 'Sends events of a source to a conversion action, dataset or goal of an ad platform.';
COMMENT ON COLUMN "conversions"."id" IS 'UUIDv7.';
COMMENT ON COLUMN "conversions"."organization_id" IS 'The organization that owns this row.';
COMMENT ON COLUMN "conversions"."name" IS 'Display name.';
COMMENT ON COLUMN "conversions"."source_app_id" IS 'Custom or payment app that events are read from; null: read from a destination.';
COMMENT ON COLUMN "conversions"."source_destination_id" IS 'Destination that events are read from, by a query or an export; null: read from an app.';
COMMENT ON COLUMN "conversions"."source_settings" IS 'What is read there, in the form of the connector''s schema, such as {query}.';
COMMENT ON COLUMN "conversions"."target_app_id" IS 'App of the ad platform that receives the events.';
COMMENT ON COLUMN "conversions"."target_account_id" IS 'Ad account that the conversion action belongs to.';
COMMENT ON COLUMN "conversions"."target_name" IS 'Name of the conversion action, dataset or goal.';
COMMENT ON COLUMN "conversions"."target_settings" IS 'What identifies it at the platform, in the form of the connector''s schema.';
COMMENT ON COLUMN "conversions"."filter" IS 'Conditions that a record must meet: [{field, operator, value}].';
COMMENT ON COLUMN "conversions"."mapping" IS 'Source of each field of an event: {email: {field: "properties.email"}, currency: {value: "EUR"}}.';
COMMENT ON COLUMN "conversions"."hashed_fields" IS 'Fields that the source delivers as SHA-256.';
COMMENT ON COLUMN "conversions"."count_rule" IS 'Whether every event counts, or only the first of a person.';
COMMENT ON COLUMN "conversions"."on_unknown_consent" IS 'Whether events without known consent are sent.';
COMMENT ON COLUMN "conversions"."on_unknown_outcome" IS 'What happens when the platform may have taken an event and does not remove duplicates.';
COMMENT ON COLUMN "conversions"."default_country" IS 'Country of phone numbers without a country code, ISO 3166; null: such numbers are not sent.';
COMMENT ON COLUMN "conversions"."hashes_external_id" IS 'Whether external ids are hashed before they are sent.';
COMMENT ON COLUMN "conversions"."sends_adjustments" IS 'Whether refunds and corrections are sent as adjustments.';
COMMENT ON COLUMN "conversions"."test_code" IS 'Code that marks events as tests at the platform; null: events are real.';
COMMENT ON COLUMN "conversions"."schedule" IS '{kind: manual | interval | daily | cron, everyMinutes, atTime, cron, timeZone}. Pushed events are sent when they arrive.';
COMMENT ON COLUMN "conversions"."next_run_at" IS 'When the next scheduled run starts; null: manual schedule.';
COMMENT ON COLUMN "conversions"."since" IS 'Time of the first event that is read.';
COMMENT ON COLUMN "conversions"."cursor" IS 'Where the next read of the source continues, defined by its connector; null: at `since`.';
COMMENT ON COLUMN "conversions"."desired" IS 'Desired state: active or paused.';
COMMENT ON COLUMN "conversions"."paused_at" IS 'When it was paused; null: active.';
COMMENT ON COLUMN "conversions"."paused_by" IS 'Firebase uid of the user who paused it.';
COMMENT ON COLUMN "conversions"."failure" IS 'Current error of its runs and the action that resolves it; null: no error.';
COMMENT ON COLUMN "conversions"."failures" IS 'Consecutive runs that failed or waited because of an error.';
COMMENT ON COLUMN "conversions"."waiting_until" IS 'Until when a throttled or failed run waits; null: nothing waits.';
COMMENT ON COLUMN "conversions"."lease_epoch" IS 'Incremented by each worker that claims the conversion. Writes of an outdated worker are rejected.';
COMMENT ON COLUMN "conversions"."created_by" IS 'Firebase uid of the user who created it.';
COMMENT ON COLUMN "conversions"."version" IS 'Version for optimistic locking; every update adds 1.';
COMMENT ON COLUMN "conversions"."created_at" IS 'When it was created.';
COMMENT ON COLUMN "conversions"."updated_at" IS 'When it was last changed.';
COMMENT ON COLUMN "conversions"."deleted_at" IS 'When it was deleted. It can be restored for 30 days; null: not deleted.';
COMMENT ON TABLE "conversion_runs" IS 'One execution of a conversion: reads new events, sends them, and reads the platform''s later answers.';
COMMENT ON COLUMN "conversion_runs"."id" IS 'UUIDv7; increases with time.';
COMMENT ON COLUMN "conversion_runs"."organization_id" IS 'The organization that owns this row.';
COMMENT ON COLUMN "conversion_runs"."conversion_id" IS 'The conversion.';
COMMENT ON COLUMN "conversion_runs"."state" IS 'running, waiting, succeeded, partial (some events were rejected) or failed.';
COMMENT ON COLUMN "conversion_runs"."started_at" IS 'When it started.';
COMMENT ON COLUMN "conversion_runs"."ended_at" IS 'When it ended; null: it has not ended.';
COMMENT ON COLUMN "conversion_runs"."records_read" IS 'Records read from the source, including repeated ones.';
COMMENT ON COLUMN "conversion_runs"."bytes_read" IS 'Bytes read from the source.';
COMMENT ON COLUMN "conversion_runs"."events_new" IS 'Events that were new.';
COMMENT ON COLUMN "conversion_runs"."events_sent" IS 'Events that were sent, including repeated attempts.';
COMMENT ON COLUMN "conversion_runs"."events_accepted" IS 'Events that the platform took.';
COMMENT ON COLUMN "conversion_runs"."events_rejected" IS 'Events that the platform rejected.';
COMMENT ON COLUMN "conversion_runs"."failure" IS 'Why it failed or waits, and the action; null: no error.';
COMMENT ON TABLE "conversion_requests" IS 'One batch of events that was sent to a platform, with its answer.';
COMMENT ON COLUMN "conversion_requests"."id" IS 'UUIDv7; increases with time.';
COMMENT ON COLUMN "conversion_requests"."organization_id" IS 'The organization that owns this row.';
COMMENT ON COLUMN "conversion_requests"."conversion_id" IS 'The conversion.';
COMMENT ON COLUMN "conversion_requests"."state" IS 'sending, answered, processing (the platform decides later), processed, partly_processed (known as counts only) or unknown (no usable answer).';
COMMENT ON COLUMN "conversion_requests"."is_adjustment" IS 'Whether it contains adjustments instead of events.';
COMMENT ON COLUMN "conversion_requests"."event_count" IS 'Events in it.';
COMMENT ON COLUMN "conversion_requests"."sent_at" IS 'When it was sent.';
COMMENT ON COLUMN "conversion_requests"."provider_request_id" IS 'The platform''s id of the request; null: none.';
COMMENT ON COLUMN "conversion_requests"."next_status_at" IS 'When the platform is asked for its decision; null: it is not asked.';
COMMENT ON COLUMN "conversion_requests"."status_polls" IS 'How often the platform was asked for its decision.';
COMMENT ON COLUMN "conversion_requests"."counts" IS 'Later decision as counts: [{state, code, message, events}]; null: none, or known for each event.';
COMMENT ON COLUMN "conversion_requests"."answered_at" IS 'When the last answer arrived; null: none.';
COMMENT ON TABLE "conversion_events" IS 'Ledger of a conversion: each event, refund and correction once, from its arrival to its final state. It contains no personal data in clear text.';
COMMENT ON COLUMN "conversion_events"."id" IS 'UUIDv7; increases with time.';
COMMENT ON COLUMN "conversion_events"."organization_id" IS 'The organization that owns this row.';
COMMENT ON COLUMN "conversion_events"."conversion_id" IS 'The conversion.';
COMMENT ON COLUMN "conversion_events"."dedupe_key" IS 'Identifies the event in its conversion. A hash if the source''s id could be personal data.';
COMMENT ON COLUMN "conversion_events"."adjusts" IS 'Dedupe key of the event that this refund or correction changes; null: it is an event itself.';
COMMENT ON COLUMN "conversion_events"."state" IS 'ineligible, queued, sent (no answer yet), accepted, processed, unmatched, rejected, retrying, dead, expired or adjusted.';
COMMENT ON COLUMN "conversion_events"."code" IS 'Reason of the state, such as too_old or the platform''s error code; null: none.';
COMMENT ON COLUMN "conversion_events"."message" IS 'The reason as a sentence; null: none.';
COMMENT ON COLUMN "conversion_events"."occurred_at" IS 'When the event happened; null: its time was not readable.';
COMMENT ON COLUMN "conversion_events"."received_at" IS 'When it was read.';
COMMENT ON COLUMN "conversion_events"."received_on" IS 'Day of `receivedAt` in UTC, under which it is counted.';
COMMENT ON COLUMN "conversion_events"."order_id" IS 'Order id, for search; null: none.';
COMMENT ON COLUMN "conversion_events"."click_id" IS 'Click id of the platform, for search; null: none.';
COMMENT ON COLUMN "conversion_events"."person_key" IS 'SHA-256 of the conversion and the person''s identifier, to count only the first event of a person; null: not needed.';
COMMENT ON COLUMN "conversion_events"."value" IS 'Value in currency units; of an adjustment the amount of the refund; null: none.';
COMMENT ON COLUMN "conversion_events"."currency" IS 'Currency, ISO 4217; null: none.';
COMMENT ON COLUMN "conversion_events"."identifiers" IS 'Names of the identifiers in it, such as email; never their values.';
COMMENT ON COLUMN "conversion_events"."payload" IS 'The event as it is sent, with hashed identifiers and without IP address, browser, page and plain external id; null: ineligible.';
COMMENT ON COLUMN "conversion_events"."private_fields" IS 'Encrypted parts of the payload that may not be stored in clear text; null: none, or no longer needed.';
COMMENT ON COLUMN "conversion_events"."rules_version" IS 'Rules by which the identifiers were normalized and hashed, such as meta/1; null: ineligible.';
COMMENT ON COLUMN "conversion_events"."notes" IS 'Notes for the user, such as an identifier that was left out: [{code, message}].';
COMMENT ON COLUMN "conversion_events"."history" IS 'What happened to it: [{at, state, code, requestId}], oldest first.';
COMMENT ON COLUMN "conversion_events"."attempts" IS 'Times that it was sent.';
COMMENT ON COLUMN "conversion_events"."next_attempt_at" IS 'When it is sent again; null: it is not, or it was not sent yet.';
COMMENT ON COLUMN "conversion_events"."expires_at" IS 'From this time on the platform rejects it as too old; null: ineligible.';
COMMENT ON COLUMN "conversion_events"."sent_at" IS 'When it was last sent; null: never.';
COMMENT ON COLUMN "conversion_events"."request_id" IS 'The last request that contained it; null: none.';
COMMENT ON COLUMN "conversion_events"."request_index" IS 'Its index in that request; null: none.';
COMMENT ON COLUMN "conversion_events"."updated_at" IS 'When its state last changed.';
COMMENT ON TABLE "conversion_counts" IS 'Number of events of a conversion by day of arrival and state. Updated in the transactions that change the events.';
COMMENT ON COLUMN "conversion_counts"."organization_id" IS 'The organization that owns this row.';
COMMENT ON COLUMN "conversion_counts"."conversion_id" IS 'The conversion.';
COMMENT ON COLUMN "conversion_counts"."day" IS 'Day in UTC on which the events were read.';
COMMENT ON COLUMN "conversion_counts"."state" IS 'State of the events.';
COMMENT ON COLUMN "conversion_counts"."events" IS 'Number of events.';
COMMENT ON COLUMN "push_events"."sealed_payload" IS 'The event as it was sent, encrypted, because it may contain personal data. Null: stored in `payload`.';
COMMENT ON COLUMN "push_events"."payload" IS 'The event as it was sent, of events that were stored before they were encrypted; null: encrypted.';
