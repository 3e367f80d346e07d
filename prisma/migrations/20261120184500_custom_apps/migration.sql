-- CreateEnum
CREATE TYPE "submission_state" AS ENUM ('draft', 'submitted', 'in_review', 'available', 'declined');

-- CreateEnum
CREATE TYPE "push_outcome" AS ENUM ('accepted', 'duplicate', 'refused');

-- AlterEnum
ALTER TYPE "auth_mode" ADD VALUE 'push_key';

-- AlterEnum
ALTER TYPE "provider" ADD VALUE 'custom';

-- AlterTable
ALTER TABLE "apps" ADD COLUMN     "source_defaults" JSONB;

-- CreateTable
CREATE TABLE "submissions" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "app_id" UUID NOT NULL,
    "title" TEXT,
    "documentation" TEXT,
    "wanted_data" TEXT,
    "access_kind" TEXT,
    "contact_email" TEXT,
    "state" "submission_state" NOT NULL DEFAULT 'draft',
    "submitted_by" TEXT,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "submissions_pkey" PRIMARY KEY ("organization_id","app_id")
);

-- CreateTable
CREATE TABLE "submission_steps" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "app_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "state" "submission_state" NOT NULL,
    "actor" TEXT,
    "note" TEXT,

    CONSTRAINT "submission_steps_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "push_endpoints" (
    "organization_id" UUID NOT NULL,
    "app_id" UUID NOT NULL,
    "key_id" TEXT NOT NULL,
    "key_hash" TEXT,
    "key_hint" TEXT,
    "key_made_at" TIMESTAMPTZ(3),
    "schema" JSONB,
    "dedupe_field" TEXT,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "push_endpoints_pkey" PRIMARY KEY ("organization_id","app_id")
);

-- CreateTable
CREATE TABLE "push_events" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "app_id" UUID NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "dedupe_key" TEXT,
    "payload" JSONB NOT NULL,

    CONSTRAINT "push_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "push_receipts" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "app_id" UUID NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "outcome" "push_outcome" NOT NULL,
    "reason" TEXT,
    "excerpt" TEXT,

    CONSTRAINT "push_receipts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "submissions_id_key" ON "submissions"("id");

-- CreateIndex
CREATE INDEX "submissions_state_updated_at_idx" ON "submissions"("state", "updated_at");

-- CreateIndex
CREATE INDEX "submission_steps_organization_id_app_id_id_idx" ON "submission_steps"("organization_id", "app_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "push_endpoints_key_id_key" ON "push_endpoints"("key_id");

-- CreateIndex
CREATE INDEX "push_events_organization_id_app_id_id_idx" ON "push_events"("organization_id", "app_id", "id");

-- CreateIndex
CREATE INDEX "push_events_received_at_idx" ON "push_events"("received_at");

-- CreateIndex
CREATE UNIQUE INDEX "push_events_organization_id_app_id_dedupe_key_key" ON "push_events"("organization_id", "app_id", "dedupe_key");

-- CreateIndex
CREATE INDEX "push_receipts_organization_id_app_id_id_idx" ON "push_receipts"("organization_id", "app_id", "id");

-- CreateIndex
CREATE INDEX "push_receipts_received_at_idx" ON "push_receipts"("received_at");

-- AddForeignKey
ALTER TABLE "submissions" ADD CONSTRAINT "submissions_organization_id_app_id_fkey" FOREIGN KEY ("organization_id", "app_id") REFERENCES "apps"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "submission_steps" ADD CONSTRAINT "submission_steps_organization_id_app_id_fkey" FOREIGN KEY ("organization_id", "app_id") REFERENCES "submissions"("organization_id", "app_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "push_endpoints" ADD CONSTRAINT "push_endpoints_organization_id_app_id_fkey" FOREIGN KEY ("organization_id", "app_id") REFERENCES "apps"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "push_events" ADD CONSTRAINT "push_events_organization_id_app_id_fkey" FOREIGN KEY ("organization_id", "app_id") REFERENCES "apps"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "push_receipts" ADD CONSTRAINT "push_receipts_organization_id_app_id_fkey" FOREIGN KEY ("organization_id", "app_id") REFERENCES "apps"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

COMMENT ON COLUMN "apps"."source_defaults" IS '{level, breakdowns[], lookbackDays}: how new sources of it are read unless they say otherwise; null: the usual.';
COMMENT ON TABLE "submissions" IS 'What a custom app asks for: an integration that the catalog lacks. One for each app.';
COMMENT ON COLUMN "submissions"."id" IS 'UUIDv7; platform staff name it by this.';
COMMENT ON COLUMN "submissions"."organization_id" IS 'The organization it belongs to.';
COMMENT ON COLUMN "submissions"."app_id" IS 'The custom app it was written on.';
COMMENT ON COLUMN "submissions"."title" IS 'What the integration is called; null, here and below: not said yet.';
COMMENT ON COLUMN "submissions"."documentation" IS 'Address of its API''s documentation.';
COMMENT ON COLUMN "submissions"."wanted_data" IS 'Which data is wanted, and for what.';
COMMENT ON COLUMN "submissions"."access_kind" IS 'How access to it is given: oauth2, api_key, password, files, other; null: not said yet.';
COMMENT ON COLUMN "submissions"."contact_email" IS 'Whom to ask; an e-mail address.';
COMMENT ON COLUMN "submissions"."state" IS 'Where it stands.';
COMMENT ON COLUMN "submissions"."submitted_by" IS 'uid of who submitted it, and is told when it moves.';
COMMENT ON COLUMN "submissions"."version" IS 'Counts changes, for optimistic locking.';
COMMENT ON COLUMN "submissions"."created_at" IS 'When it was made.';
COMMENT ON COLUMN "submissions"."updated_at" IS 'Last change.';
COMMENT ON TABLE "submission_steps" IS 'Each state a submission has reached: its timeline.';
COMMENT ON COLUMN "submission_steps"."id" IS 'UUIDv7; grows with time.';
COMMENT ON COLUMN "submission_steps"."organization_id" IS 'The organization it belongs to.';
COMMENT ON COLUMN "submission_steps"."app_id" IS 'The custom app of the submission.';
COMMENT ON COLUMN "submission_steps"."at" IS 'When it moved.';
COMMENT ON COLUMN "submission_steps"."state" IS 'Into which state.';
COMMENT ON COLUMN "submission_steps"."actor" IS 'E-mail of the member who moved it; null: platform staff.';
COMMENT ON COLUMN "submission_steps"."note" IS 'What staff said about it.';
COMMENT ON TABLE "push_endpoints" IS 'Where a custom app takes events: its key, and what it expects of them.';
COMMENT ON COLUMN "push_endpoints"."organization_id" IS 'The organization it belongs to.';
COMMENT ON COLUMN "push_endpoints"."app_id" IS 'The custom app.';
COMMENT ON COLUMN "push_endpoints"."key_id" IS 'Random; stands in the address and is no secret.';
COMMENT ON COLUMN "push_endpoints"."key_hash" IS 'SHA-256 of the key; the key itself is kept nowhere. Null: there is none, and nothing is taken.';
COMMENT ON COLUMN "push_endpoints"."key_hint" IS 'Last characters of the key, to recognise it by.';
COMMENT ON COLUMN "push_endpoints"."key_made_at" IS 'When the key was made.';
COMMENT ON COLUMN "push_endpoints"."schema" IS 'JSON Schema that each event must meet; null: any object is taken.';
COMMENT ON COLUMN "push_endpoints"."dedupe_field" IS 'Field whose value names an event: a second one with the same value is not stored. Null: every event is.';
COMMENT ON COLUMN "push_endpoints"."version" IS 'Counts changes, for optimistic locking.';
COMMENT ON COLUMN "push_endpoints"."created_at" IS 'When it was made.';
COMMENT ON COLUMN "push_endpoints"."updated_at" IS 'Last change.';
COMMENT ON TABLE "push_events" IS 'Events that were pushed and accepted. Kept for 90 days.';
COMMENT ON COLUMN "push_events"."id" IS 'UUIDv7; grows with time.';
COMMENT ON COLUMN "push_events"."organization_id" IS 'The organization it belongs to.';
COMMENT ON COLUMN "push_events"."app_id" IS 'The custom app it was pushed to.';
COMMENT ON COLUMN "push_events"."received_at" IS 'When it arrived.';
COMMENT ON COLUMN "push_events"."dedupe_key" IS 'SHA-256 of the dedupe field''s name and value; null where none was set.';
COMMENT ON COLUMN "push_events"."payload" IS 'The event as it was sent.';
COMMENT ON TABLE "push_receipts" IS 'What became of the latest payloads, for whoever sets up the sender. At most 100 for each app, for 7 days.';
COMMENT ON COLUMN "push_receipts"."id" IS 'UUIDv7; grows with time.';
COMMENT ON COLUMN "push_receipts"."organization_id" IS 'The organization it belongs to.';
COMMENT ON COLUMN "push_receipts"."app_id" IS 'The custom app it was pushed to.';
COMMENT ON COLUMN "push_receipts"."received_at" IS 'When it arrived.';
COMMENT ON COLUMN "push_receipts"."outcome" IS 'accepted, duplicate or refused.';
COMMENT ON COLUMN "push_receipts"."reason" IS 'Why it was refused.';
COMMENT ON COLUMN "push_receipts"."excerpt" IS 'Its first 2,000 characters; null where it could not be read.';
