-- CreateEnum
CREATE TYPE "provider" AS ENUM ('google_ads', 'postgresql');

-- CreateEnum
CREATE TYPE "auth_mode" AS ENUM ('oauth2', 'password');

-- CreateEnum
CREATE TYPE "app_state" AS ENUM ('draft', 'authorizing', 'connected', 'expiring', 'needs_reauth', 'revoked', 'disabled');

-- CreateEnum
CREATE TYPE "desired" AS ENUM ('active', 'paused');

-- CreateEnum
CREATE TYPE "destination_state" AS ENUM ('ready', 'needs_reauth', 'unreachable', 'permission_denied', 'disabled');

-- CreateEnum
CREATE TYPE "member_role" AS ENUM ('viewer', 'editor', 'admin', 'owner');

-- CreateEnum
CREATE TYPE "source_state" AS ENUM ('ready', 'needs_reauth', 'needs_attention', 'disabled');

-- CreateEnum
CREATE TYPE "run_kind" AS ENUM ('scheduled', 'manual', 'backfill', 'catch_up', 'repair', 'test');

-- CreateEnum
CREATE TYPE "run_state" AS ENUM ('queued', 'running', 'waiting', 'verifying', 'succeeded', 'partial', 'unverified', 'failed', 'cancelled', 'skipped');

-- CreateEnum
CREATE TYPE "run_step" AS ENUM ('plan', 'extract', 'stage', 'load', 'verify', 'commit');

-- CreateEnum
CREATE TYPE "slice_state" AS ENUM ('pending', 'running', 'done', 'failed', 'skipped');

-- CreateEnum
CREATE TYPE "coverage_state" AS ENUM ('missing', 'loading', 'provisional', 'final', 'failed', 'empty_confirmed', 'restated');

-- CreateEnum
CREATE TYPE "log_level" AS ENUM ('info', 'warn', 'error');

-- CreateEnum
CREATE TYPE "user_role" AS ENUM ('user', 'super_admin');

-- CreateTable
CREATE TABLE "apps" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "provider" "provider" NOT NULL,
    "display_name" TEXT NOT NULL,
    "auth_mode" "auth_mode" NOT NULL,
    "credentials" TEXT,
    "credential_hint" TEXT,
    "granted_scopes" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "missing_scopes" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "external_user" TEXT,
    "external_user_id" TEXT,
    "accounts" JSONB NOT NULL DEFAULT '[]',
    "accounts_listed_at" TIMESTAMPTZ(3),
    "state" "app_state" NOT NULL DEFAULT 'draft',
    "failure" JSONB,
    "access_expires_at" TIMESTAMPTZ(3),
    "last_refresh_at" TIMESTAMPTZ(3),
    "last_probe_at" TIMESTAMPTZ(3),
    "created_by" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "apps_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "oauth_states" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "app_id" UUID NOT NULL,
    "user_id" TEXT NOT NULL,
    "code_verifier" TEXT NOT NULL,
    "return_to" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "oauth_states_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "connections" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "source_id" UUID NOT NULL,
    "destination_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "streams" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "schedule" JSONB NOT NULL,
    "next_run_at" TIMESTAMPTZ(3),
    "lookback_days" INTEGER,
    "history_from" DATE NOT NULL,
    "desired" "desired" NOT NULL DEFAULT 'active',
    "paused_at" TIMESTAMPTZ(3),
    "paused_by" TEXT,
    "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "created_by" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "connections_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "destinations" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "app_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "settings" JSONB NOT NULL,
    "state" "destination_state" NOT NULL DEFAULT 'ready',
    "last_check" JSONB,
    "failure" JSONB,
    "created_by" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "destinations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "organizations" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "logo" TEXT,
    "currency" TEXT NOT NULL DEFAULT 'USD',
    "time_zone" TEXT NOT NULL DEFAULT 'UTC',
    "created_by" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "organizations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "members" (
    "organization_id" UUID NOT NULL,
    "user_id" TEXT NOT NULL,
    "role" "member_role" NOT NULL,
    "is_default" BOOLEAN NOT NULL DEFAULT false,
    "invited_by" TEXT,
    "joined_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "members_pkey" PRIMARY KEY ("organization_id","user_id")
);

-- CreateTable
CREATE TABLE "data_keys" (
    "organization_id" UUID NOT NULL,
    "wrapped_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "data_keys_pkey" PRIMARY KEY ("organization_id")
);

-- CreateTable
CREATE TABLE "workers" (
    "id" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "heartbeat_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "workers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sources" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "app_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "account_ids" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "state" "source_state" NOT NULL DEFAULT 'ready',
    "created_by" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "sources_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "runs" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "connection_id" UUID NOT NULL,
    "kind" "run_kind" NOT NULL,
    "trigger" TEXT NOT NULL,
    "actor" TEXT,
    "window_from" DATE,
    "window_to" DATE,
    "state" "run_state" NOT NULL DEFAULT 'queued',
    "step" "run_step",
    "attempts" JSONB NOT NULL DEFAULT '[]',
    "faults" INTEGER NOT NULL DEFAULT 0,
    "rows_read" BIGINT NOT NULL DEFAULT 0,
    "rows_written" BIGINT NOT NULL DEFAULT 0,
    "rows_rejected" BIGINT NOT NULL DEFAULT 0,
    "bytes" BIGINT NOT NULL DEFAULT 0,
    "api_calls" INTEGER NOT NULL DEFAULT 0,
    "quota_wait_ms" BIGINT NOT NULL DEFAULT 0,
    "resume_at" TIMESTAMPTZ(3),
    "verify" JSONB,
    "failure" JSONB,
    "heartbeat_at" TIMESTAMPTZ(3),
    "lease_epoch" BIGINT NOT NULL DEFAULT 0,
    "queued_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "run_slices" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "stream" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "day_from" DATE NOT NULL,
    "day_to" DATE NOT NULL,
    "state" "slice_state" NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "rows_read" BIGINT NOT NULL DEFAULT 0,
    "rows_found" BIGINT NOT NULL DEFAULT 0,
    "cost_micros" BIGINT NOT NULL DEFAULT 0,
    "cost_found" BIGINT NOT NULL DEFAULT 0,
    "bytes" BIGINT NOT NULL DEFAULT 0,
    "failure" JSONB,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "run_slices_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "run_log_entries" (
    "id" BIGSERIAL NOT NULL,
    "organization_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "level" "log_level" NOT NULL DEFAULT 'info',
    "message" TEXT NOT NULL,
    "request" JSONB,

    CONSTRAINT "run_log_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "coverage" (
    "organization_id" UUID NOT NULL,
    "connection_id" UUID NOT NULL,
    "stream" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "state" "coverage_state" NOT NULL,
    "rows" BIGINT NOT NULL DEFAULT 0,
    "cost_micros" BIGINT NOT NULL DEFAULT 0,
    "clicks" BIGINT NOT NULL DEFAULT 0,
    "impressions" BIGINT NOT NULL DEFAULT 0,
    "first_loaded_at" TIMESTAMPTZ(3),
    "last_changed_at" TIMESTAMPTZ(3),
    "last_verified_at" TIMESTAMPTZ(3),
    "revisions" INTEGER NOT NULL DEFAULT 0,
    "run_id" UUID,

    CONSTRAINT "coverage_pkey" PRIMARY KEY ("organization_id","connection_id","stream","account_id","day")
);

-- CreateTable
CREATE TABLE "users" (
    "uid" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "is_email_verified" BOOLEAN NOT NULL DEFAULT false,
    "full_name" TEXT NOT NULL,
    "photo_url" TEXT,
    "role" "user_role" NOT NULL DEFAULT 'user',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3),

    CONSTRAINT "users_pkey" PRIMARY KEY ("uid")
);

-- CreateIndex
CREATE UNIQUE INDEX "apps_organization_id_id_key" ON "apps"("organization_id", "id");

-- CreateIndex
CREATE INDEX "oauth_states_organization_id_app_id_idx" ON "oauth_states"("organization_id", "app_id");

-- CreateIndex
CREATE INDEX "connections_organization_id_source_id_idx" ON "connections"("organization_id", "source_id");

-- CreateIndex
CREATE INDEX "connections_organization_id_destination_id_idx" ON "connections"("organization_id", "destination_id");

-- CreateIndex
CREATE INDEX "connections_next_run_at_idx" ON "connections"("next_run_at");

-- CreateIndex
CREATE UNIQUE INDEX "connections_organization_id_id_key" ON "connections"("organization_id", "id");

-- CreateIndex
CREATE INDEX "destinations_organization_id_app_id_idx" ON "destinations"("organization_id", "app_id");

-- CreateIndex
CREATE UNIQUE INDEX "destinations_organization_id_id_key" ON "destinations"("organization_id", "id");

-- CreateIndex
CREATE INDEX "members_user_id_idx" ON "members"("user_id");

-- CreateIndex
CREATE INDEX "workers_heartbeat_at_idx" ON "workers"("heartbeat_at");

-- CreateIndex
CREATE INDEX "sources_organization_id_app_id_idx" ON "sources"("organization_id", "app_id");

-- CreateIndex
CREATE UNIQUE INDEX "sources_organization_id_id_key" ON "sources"("organization_id", "id");

-- CreateIndex
CREATE INDEX "runs_organization_id_connection_id_queued_at_idx" ON "runs"("organization_id", "connection_id", "queued_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "runs_organization_id_id_key" ON "runs"("organization_id", "id");

-- CreateIndex
CREATE INDEX "run_slices_organization_id_run_id_id_idx" ON "run_slices"("organization_id", "run_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "run_slices_organization_id_id_key" ON "run_slices"("organization_id", "id");

-- CreateIndex
CREATE INDEX "run_log_entries_organization_id_run_id_id_idx" ON "run_log_entries"("organization_id", "run_id", "id");

-- CreateIndex
CREATE INDEX "coverage_organization_id_connection_id_day_idx" ON "coverage"("organization_id", "connection_id", "day");

-- CreateIndex
CREATE INDEX "users_email_idx" ON "users"("email");

-- AddForeignKey
ALTER TABLE "apps" ADD CONSTRAINT "apps_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_states" ADD CONSTRAINT "oauth_states_organization_id_app_id_fkey" FOREIGN KEY ("organization_id", "app_id") REFERENCES "apps"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connections" ADD CONSTRAINT "connections_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connections" ADD CONSTRAINT "connections_organization_id_source_id_fkey" FOREIGN KEY ("organization_id", "source_id") REFERENCES "sources"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connections" ADD CONSTRAINT "connections_organization_id_destination_id_fkey" FOREIGN KEY ("organization_id", "destination_id") REFERENCES "destinations"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "destinations" ADD CONSTRAINT "destinations_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "destinations" ADD CONSTRAINT "destinations_organization_id_app_id_fkey" FOREIGN KEY ("organization_id", "app_id") REFERENCES "apps"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "members" ADD CONSTRAINT "members_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "members" ADD CONSTRAINT "members_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("uid") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "data_keys" ADD CONSTRAINT "data_keys_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sources" ADD CONSTRAINT "sources_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sources" ADD CONSTRAINT "sources_organization_id_app_id_fkey" FOREIGN KEY ("organization_id", "app_id") REFERENCES "apps"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "runs" ADD CONSTRAINT "runs_organization_id_connection_id_fkey" FOREIGN KEY ("organization_id", "connection_id") REFERENCES "connections"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "run_slices" ADD CONSTRAINT "run_slices_organization_id_run_id_fkey" FOREIGN KEY ("organization_id", "run_id") REFERENCES "runs"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "run_log_entries" ADD CONSTRAINT "run_log_entries_organization_id_run_id_fkey" FOREIGN KEY ("organization_id", "run_id") REFERENCES "runs"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "coverage" ADD CONSTRAINT "coverage_organization_id_connection_id_fkey" FOREIGN KEY ("organization_id", "connection_id") REFERENCES "connections"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Beyond what Prisma's schema can say.

-- Every claim of a run takes the next one; a higher epoch is a later claim, over all runs.
CREATE SEQUENCE "lease_epoch" AS bigint;

-- Runs of a connection never overlap.
CREATE UNIQUE INDEX "runs_one_active_per_connection" ON "runs" ("organization_id", "connection_id") WHERE "ended_at" IS NULL;

-- Days that have not arrived are few; the complete-through day is found from them alone.
CREATE INDEX "coverage_gaps" ON "coverage" ("organization_id", "connection_id", "stream", "account_id", "day")
  WHERE "state" IN ('missing', 'loading', 'failed');

-- A run that has ended says when, and one that has not says nothing.
ALTER TABLE "runs" ADD CONSTRAINT "runs_end_with_their_state"
  CHECK (("ended_at" IS NULL) = ("state" IN ('queued', 'running', 'waiting', 'verifying')));

COMMENT ON TABLE "apps" IS 'One authenticated account at a provider, used by many sources and destinations.';
COMMENT ON COLUMN "apps"."id" IS 'UUIDv7.';
COMMENT ON COLUMN "apps"."organization_id" IS 'The organization it belongs to.';
COMMENT ON COLUMN "apps"."provider" IS 'Whose account it is.';
COMMENT ON COLUMN "apps"."display_name" IS 'What people call it.';
COMMENT ON COLUMN "apps"."auth_mode" IS 'How it authenticates.';
COMMENT ON COLUMN "apps"."credentials" IS 'Encrypted envelope of the credentials; never leaves the server.';
COMMENT ON COLUMN "apps"."credential_hint" IS 'What can be shown of the credentials, such as a user name.';
COMMENT ON COLUMN "apps"."granted_scopes" IS 'Scopes the provider granted.';
COMMENT ON COLUMN "apps"."missing_scopes" IS 'Scopes we asked for and did not get.';
COMMENT ON COLUMN "apps"."external_user" IS 'E-mail of the provider''s user who authorised.';
COMMENT ON COLUMN "apps"."external_user_id" IS 'Id of the provider''s user who authorised; reconnecting compares it.';
COMMENT ON COLUMN "apps"."accounts" IS 'Ad accounts the app reaches, as listed last.';
COMMENT ON COLUMN "apps"."accounts_listed_at" IS 'When the accounts were listed.';
COMMENT ON COLUMN "apps"."state" IS 'draft, authorizing, connected, expiring, needs_reauth, revoked or disabled.';
COMMENT ON COLUMN "apps"."failure" IS 'What is wrong and what to do, while something is.';
COMMENT ON COLUMN "apps"."access_expires_at" IS 'When the current access token ends.';
COMMENT ON COLUMN "apps"."last_refresh_at" IS 'Last time a token was refreshed.';
COMMENT ON COLUMN "apps"."last_probe_at" IS 'Last time the provider was asked whether the app still works.';
COMMENT ON COLUMN "apps"."created_by" IS 'uid of who made it.';
COMMENT ON COLUMN "apps"."version" IS 'Counts changes, for optimistic locking.';
COMMENT ON COLUMN "apps"."created_at" IS 'When it was made.';
COMMENT ON COLUMN "apps"."updated_at" IS 'Last change.';
COMMENT ON COLUMN "apps"."deleted_at" IS 'Deleted, and restorable for 30 days from then.';
COMMENT ON TABLE "oauth_states" IS 'Authorizations under way: single use, ten minutes, bound to user, organization and app.';
COMMENT ON COLUMN "oauth_states"."id" IS 'UUIDv7, carried in the signed state.';
COMMENT ON COLUMN "oauth_states"."organization_id" IS 'The organization it was started in.';
COMMENT ON COLUMN "oauth_states"."app_id" IS 'The app it will connect.';
COMMENT ON COLUMN "oauth_states"."user_id" IS 'uid of who started it.';
COMMENT ON COLUMN "oauth_states"."code_verifier" IS 'Encrypted PKCE verifier.';
COMMENT ON COLUMN "oauth_states"."return_to" IS 'Relative path to go back to.';
COMMENT ON COLUMN "oauth_states"."expires_at" IS 'After this it is refused.';
COMMENT ON COLUMN "oauth_states"."used_at" IS 'Set when used; a second use is refused.';
COMMENT ON TABLE "connections" IS 'A source flowing into a destination on a schedule. Its health is computed from runs and coverage, never stored.';
COMMENT ON COLUMN "connections"."id" IS 'UUIDv7.';
COMMENT ON COLUMN "connections"."organization_id" IS 'The organization it belongs to.';
COMMENT ON COLUMN "connections"."source_id" IS 'Where rows come from.';
COMMENT ON COLUMN "connections"."destination_id" IS 'Where rows go.';
COMMENT ON COLUMN "connections"."name" IS 'What people call it.';
COMMENT ON COLUMN "connections"."streams" IS 'Names of the streams it brings.';
COMMENT ON COLUMN "connections"."schedule" IS '{kind: manual | interval | daily, everyMinutes, atTime, timeZone}.';
COMMENT ON COLUMN "connections"."next_run_at" IS 'When the schedule starts the next run; null for manual.';
COMMENT ON COLUMN "connections"."lookback_days" IS 'Days read again by each run; null takes the provider''s own windows.';
COMMENT ON COLUMN "connections"."history_from" IS 'First day that is wanted, in each account''s calendar.';
COMMENT ON COLUMN "connections"."desired" IS 'What the user wants: active or paused.';
COMMENT ON COLUMN "connections"."paused_at" IS 'When it was paused.';
COMMENT ON COLUMN "connections"."paused_by" IS 'uid of who paused it.';
COMMENT ON COLUMN "connections"."tags" IS 'Words to find it by.';
COMMENT ON COLUMN "connections"."created_by" IS 'uid of who made it.';
COMMENT ON COLUMN "connections"."version" IS 'Counts changes, for optimistic locking.';
COMMENT ON COLUMN "connections"."created_at" IS 'When it was made.';
COMMENT ON COLUMN "connections"."updated_at" IS 'Last change.';
COMMENT ON COLUMN "connections"."deleted_at" IS 'Deleted, and restorable for 30 days from then.';
COMMENT ON TABLE "destinations" IS 'What is written to.';
COMMENT ON COLUMN "destinations"."id" IS 'UUIDv7.';
COMMENT ON COLUMN "destinations"."organization_id" IS 'The organization it belongs to.';
COMMENT ON COLUMN "destinations"."app_id" IS 'The app that holds the credentials.';
COMMENT ON COLUMN "destinations"."name" IS 'What people call it.';
COMMENT ON COLUMN "destinations"."settings" IS 'The provider''s settings without secrets, as its connector''s schema has them.';
COMMENT ON COLUMN "destinations"."state" IS 'Whether it can be written to, as found last.';
COMMENT ON COLUMN "destinations"."last_check" IS 'The last itemised check: {at, items[]}.';
COMMENT ON COLUMN "destinations"."failure" IS 'What is wrong and what to do, while something is.';
COMMENT ON COLUMN "destinations"."created_by" IS 'uid of who made it.';
COMMENT ON COLUMN "destinations"."version" IS 'Counts changes, for optimistic locking.';
COMMENT ON COLUMN "destinations"."created_at" IS 'When it was made.';
COMMENT ON COLUMN "destinations"."updated_at" IS 'Last change.';
COMMENT ON COLUMN "destinations"."deleted_at" IS 'Deleted, and restorable for 30 days from then.';
COMMENT ON TABLE "organizations" IS 'Tenants. Everything else with an organization_id belongs to one of these.';
COMMENT ON COLUMN "organizations"."id" IS 'UUIDv7.';
COMMENT ON COLUMN "organizations"."name" IS 'Company name.';
COMMENT ON COLUMN "organizations"."logo" IS 'Address or data URL of the logo.';
COMMENT ON COLUMN "organizations"."currency" IS 'Currency reports are shown in, ISO 4217.';
COMMENT ON COLUMN "organizations"."time_zone" IS 'IANA time zone schedules are shown in.';
COMMENT ON COLUMN "organizations"."created_by" IS 'uid of who made it.';
COMMENT ON COLUMN "organizations"."version" IS 'Counts changes, for optimistic locking.';
COMMENT ON COLUMN "organizations"."created_at" IS 'When it was made.';
COMMENT ON COLUMN "organizations"."updated_at" IS 'Last change.';
COMMENT ON COLUMN "organizations"."deleted_at" IS 'Deleted, and restorable for 30 days from then.';
COMMENT ON TABLE "members" IS 'Who belongs to which organization, and as what. An organization always has an owner.';
COMMENT ON COLUMN "members"."organization_id" IS 'The organization.';
COMMENT ON COLUMN "members"."user_id" IS 'Firebase uid.';
COMMENT ON COLUMN "members"."role" IS 'What the person may do there.';
COMMENT ON COLUMN "members"."is_default" IS 'The organization the person lands in.';
COMMENT ON COLUMN "members"."invited_by" IS 'uid of the inviter; null for the founder.';
COMMENT ON COLUMN "members"."joined_at" IS 'When the person joined.';
COMMENT ON TABLE "data_keys" IS 'Keys that encrypt an organization''s secrets, one at a time per organization; themselves wrapped by ENCRYPTION_KEY.';
COMMENT ON COLUMN "data_keys"."organization_id" IS 'The organization whose secrets this key opens.';
COMMENT ON COLUMN "data_keys"."wrapped_key" IS 'AES-256-GCM envelope of the 32-byte key, bound to the organization.';
COMMENT ON COLUMN "data_keys"."created_at" IS 'When the key was made.';
COMMENT ON TABLE "workers" IS 'Worker processes; one whose heartbeat is old is dead, and its jobs are given back.';
COMMENT ON COLUMN "workers"."id" IS 'The id under which the worker locks jobs.';
COMMENT ON COLUMN "workers"."description" IS 'Host and process id, for people.';
COMMENT ON COLUMN "workers"."started_at" IS 'When the process began.';
COMMENT ON COLUMN "workers"."heartbeat_at" IS 'Last sign of life; refreshed every 5 seconds.';
COMMENT ON TABLE "sources" IS 'What is read: some accounts of an app.';
COMMENT ON COLUMN "sources"."id" IS 'UUIDv7.';
COMMENT ON COLUMN "sources"."organization_id" IS 'The organization it belongs to.';
COMMENT ON COLUMN "sources"."app_id" IS 'The app that gives access.';
COMMENT ON COLUMN "sources"."name" IS 'What people call it.';
COMMENT ON COLUMN "sources"."account_ids" IS 'The provider''s ids of the accounts to read.';
COMMENT ON COLUMN "sources"."state" IS 'Whether it can be read as far as itself is concerned; the app''s own state comes on top.';
COMMENT ON COLUMN "sources"."created_by" IS 'uid of who made it.';
COMMENT ON COLUMN "sources"."version" IS 'Counts changes, for optimistic locking.';
COMMENT ON COLUMN "sources"."created_at" IS 'When it was made.';
COMMENT ON COLUMN "sources"."updated_at" IS 'Last change.';
COMMENT ON COLUMN "sources"."deleted_at" IS 'Deleted, and restorable for 30 days from then.';
COMMENT ON TABLE "runs" IS 'One go of moving a connection''s rows. succeeded means verified: what was read equals what the destination reports back.';
COMMENT ON COLUMN "runs"."id" IS 'UUIDv7.';
COMMENT ON COLUMN "runs"."organization_id" IS 'The organization it belongs to.';
COMMENT ON COLUMN "runs"."connection_id" IS 'The connection it moves.';
COMMENT ON COLUMN "runs"."kind" IS 'Why there is such a run.';
COMMENT ON COLUMN "runs"."trigger" IS 'What started it: schedule, user, first_run.';
COMMENT ON COLUMN "runs"."actor" IS 'uid of who started it; null when nobody did.';
COMMENT ON COLUMN "runs"."window_from" IS 'First day of the window over all accounts; null until planned.';
COMMENT ON COLUMN "runs"."window_to" IS 'Last day of the window over all accounts; null until planned.';
COMMENT ON COLUMN "runs"."state" IS 'Where it stands; allowed changes are in sync/run-states.ts.';
COMMENT ON COLUMN "runs"."step" IS 'What it does right now.';
COMMENT ON COLUMN "runs"."attempts" IS '[{n, startedAt, endedAt, failure}] one for each worker that took it up.';
COMMENT ON COLUMN "runs"."faults" IS 'Tries in a row that ended in a passing fault; back to 0 with every slice done.';
COMMENT ON COLUMN "runs"."rows_read" IS 'Rows the source gave.';
COMMENT ON COLUMN "runs"."rows_written" IS 'Rows the destination took.';
COMMENT ON COLUMN "runs"."rows_rejected" IS 'Rows refused.';
COMMENT ON COLUMN "runs"."bytes" IS 'Bytes sent to the destination.';
COMMENT ON COLUMN "runs"."api_calls" IS 'Calls made to the provider.';
COMMENT ON COLUMN "runs"."quota_wait_ms" IS 'Milliseconds spent waiting for quota.';
COMMENT ON COLUMN "runs"."resume_at" IS 'When a waiting run goes on.';
COMMENT ON COLUMN "runs"."verify" IS '{expected: {rows, costMicros}, found: {rows, costMicros}} once there is something to compare.';
COMMENT ON COLUMN "runs"."failure" IS '{class, code, message, action, providerRequestId} of what ended or delays it.';
COMMENT ON COLUMN "runs"."heartbeat_at" IS 'Last sign of life of the worker that holds it.';
COMMENT ON COLUMN "runs"."lease_epoch" IS 'Grows with every claim; whoever writes with an older one has lost the run.';
COMMENT ON COLUMN "runs"."queued_at" IS 'When it was asked for.';
COMMENT ON COLUMN "runs"."started_at" IS 'When a worker first took it.';
COMMENT ON COLUMN "runs"."ended_at" IS 'When it reached an end.';
COMMENT ON TABLE "run_slices" IS 'The unit of work: one stream, one account, some days. Read, replaced, verified and committed as a whole.';
COMMENT ON COLUMN "run_slices"."id" IS 'UUIDv7; in order of work.';
COMMENT ON COLUMN "run_slices"."organization_id" IS 'The organization it belongs to.';
COMMENT ON COLUMN "run_slices"."run_id" IS 'The run it is part of.';
COMMENT ON COLUMN "run_slices"."stream" IS 'Stream name.';
COMMENT ON COLUMN "run_slices"."account_id" IS 'The provider''s account id.';
COMMENT ON COLUMN "run_slices"."day_from" IS 'First day, in the account''s calendar.';
COMMENT ON COLUMN "run_slices"."day_to" IS 'Last day, in the account''s calendar.';
COMMENT ON COLUMN "run_slices"."state" IS 'Where it stands.';
COMMENT ON COLUMN "run_slices"."attempts" IS 'How often it was tried.';
COMMENT ON COLUMN "run_slices"."rows_read" IS 'Rows the source gave.';
COMMENT ON COLUMN "run_slices"."rows_found" IS 'Rows the destination reported back.';
COMMENT ON COLUMN "run_slices"."cost_micros" IS 'Cost the source gave, in micros of the account''s currency.';
COMMENT ON COLUMN "run_slices"."cost_found" IS 'Cost the destination reported back.';
COMMENT ON COLUMN "run_slices"."bytes" IS 'Bytes sent to the destination.';
COMMENT ON COLUMN "run_slices"."failure" IS 'What went wrong last.';
COMMENT ON COLUMN "run_slices"."ended_at" IS 'When it reached an end.';
COMMENT ON TABLE "run_log_entries" IS 'What a run did, in words, and each request it made; secrets are never written here.';
COMMENT ON COLUMN "run_log_entries"."id" IS 'Order of writing.';
COMMENT ON COLUMN "run_log_entries"."organization_id" IS 'The organization it belongs to.';
COMMENT ON COLUMN "run_log_entries"."run_id" IS 'The run it tells of.';
COMMENT ON COLUMN "run_log_entries"."at" IS 'When it happened.';
COMMENT ON COLUMN "run_log_entries"."level" IS 'How much it matters.';
COMMENT ON COLUMN "run_log_entries"."message" IS 'A sentence; for a request its method and address.';
COMMENT ON COLUMN "run_log_entries"."request" IS '{method, url, status, durationMs, providerRequestId} of a request; null for a sentence.';
COMMENT ON TABLE "coverage" IS 'What is known of each account-day at the destination: the calendar, the repair run and the freshness answer come from here.';
COMMENT ON COLUMN "coverage"."organization_id" IS 'The organization it belongs to.';
COMMENT ON COLUMN "coverage"."connection_id" IS 'The connection.';
COMMENT ON COLUMN "coverage"."stream" IS 'Stream name.';
COMMENT ON COLUMN "coverage"."account_id" IS 'The provider''s account id.';
COMMENT ON COLUMN "coverage"."day" IS 'The day, in the account''s calendar.';
COMMENT ON COLUMN "coverage"."state" IS 'How sure we are of it.';
COMMENT ON COLUMN "coverage"."rows" IS 'Rows at the destination, as it reported them.';
COMMENT ON COLUMN "coverage"."cost_micros" IS 'Cost at the destination, in micros of the account''s currency.';
COMMENT ON COLUMN "coverage"."clicks" IS 'Clicks at the destination.';
COMMENT ON COLUMN "coverage"."impressions" IS 'Impressions at the destination.';
COMMENT ON COLUMN "coverage"."first_loaded_at" IS 'When rows first arrived.';
COMMENT ON COLUMN "coverage"."last_changed_at" IS 'When its sums last changed.';
COMMENT ON COLUMN "coverage"."last_verified_at" IS 'When it was last verified.';
COMMENT ON COLUMN "coverage"."revisions" IS 'How often its sums changed after the first load.';
COMMENT ON COLUMN "coverage"."run_id" IS 'The run that wrote it last.';
COMMENT ON TABLE "users" IS 'People, as the identity provider knows them.';
COMMENT ON COLUMN "users"."uid" IS 'Firebase uid.';
COMMENT ON COLUMN "users"."email" IS 'From the verified token only, lower-cased.';
COMMENT ON COLUMN "users"."is_email_verified" IS 'Whether the identity provider has verified the e-mail.';
COMMENT ON COLUMN "users"."full_name" IS 'Name the person goes by.';
COMMENT ON COLUMN "users"."photo_url" IS 'Address of the profile picture.';
COMMENT ON COLUMN "users"."role" IS 'super_admin is platform staff: sees every organization, read-only.';
COMMENT ON COLUMN "users"."created_at" IS 'First sign-in with us.';
COMMENT ON COLUMN "users"."last_seen_at" IS 'Last time the person signed in.';
