-- CreateEnum
CREATE TYPE "audit_actor_kind" AS ENUM ('user', 'api_key', 'super_admin', 'system');

-- CreateEnum
CREATE TYPE "invitation_state" AS ENUM ('pending', 'accepted', 'rejected', 'revoked', 'expired');

-- CreateEnum
CREATE TYPE "outbox_kind" AS ENUM ('mail', 'analytics', 'webhook');

-- CreateEnum
CREATE TYPE "outbox_state" AS ENUM ('queued', 'delivered', 'failed');

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "disabled_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "api_keys" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "key_hash" TEXT NOT NULL,
    "role" "member_role" NOT NULL,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_keys" (
    "caller" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" TEXT NOT NULL,
    "status" INTEGER,
    "answer" TEXT,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("caller","key")
);

-- CreateTable
CREATE TABLE "rate_counts" (
    "subject" TEXT NOT NULL,
    "window_start" TIMESTAMPTZ(3) NOT NULL,
    "calls" INTEGER NOT NULL,

    CONSTRAINT "rate_counts_pkey" PRIMARY KEY ("subject","window_start")
);

-- CreateTable
CREATE TABLE "audit_events" (
    "id" UUID NOT NULL,
    "organization_id" UUID,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "actor_kind" "audit_actor_kind" NOT NULL,
    "actor_id" TEXT,
    "actor_email" TEXT,
    "api_key_name" TEXT,
    "role" "member_role",
    "action" TEXT NOT NULL,
    "target_type" TEXT NOT NULL,
    "target_id" TEXT,
    "target_name" TEXT,
    "before" JSONB,
    "after" JSONB,
    "ip" TEXT,
    "request_id" TEXT,

    CONSTRAINT "audit_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "invitations" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "role" "member_role" NOT NULL,
    "token_hash" TEXT NOT NULL,
    "inviter_id" TEXT NOT NULL,
    "state" "invitation_state" NOT NULL DEFAULT 'pending',
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "accepted_by" TEXT,
    "ended_at" TIMESTAMPTZ(3),
    "mail_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sent_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "invitations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "outbox_messages" (
    "id" UUID NOT NULL,
    "organization_id" UUID,
    "kind" "outbox_kind" NOT NULL,
    "name" TEXT NOT NULL,
    "content" TEXT,
    "once_key" TEXT,
    "state" "outbox_state" NOT NULL DEFAULT 'queued',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "delivered_at" TIMESTAMPTZ(3),

    CONSTRAINT "outbox_messages_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_key_hash_key" ON "api_keys"("key_hash");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_organization_id_id_key" ON "api_keys"("organization_id", "id");

-- CreateIndex
CREATE INDEX "idempotency_keys_started_at_idx" ON "idempotency_keys"("started_at");

-- CreateIndex
CREATE INDEX "rate_counts_window_start_idx" ON "rate_counts"("window_start");

-- CreateIndex
CREATE INDEX "audit_events_organization_id_id_idx" ON "audit_events"("organization_id", "id");

-- CreateIndex
CREATE INDEX "invitations_email_idx" ON "invitations"("email");

-- CreateIndex
CREATE UNIQUE INDEX "invitations_organization_id_id_key" ON "invitations"("organization_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "outbox_messages_once_key_key" ON "outbox_messages"("once_key");

-- CreateIndex
CREATE INDEX "outbox_messages_organization_id_id_idx" ON "outbox_messages"("organization_id", "id");

-- CreateIndex
CREATE INDEX "outbox_messages_state_next_attempt_at_idx" ON "outbox_messages"("state", "next_attempt_at");

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("uid") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_inviter_id_fkey" FOREIGN KEY ("inviter_id") REFERENCES "users"("uid") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Beyond what Prisma's schema can say.

-- One open invitation for an organization and an e-mail.
CREATE UNIQUE INDEX "invitations_one_pending" ON "invitations" ("organization_id", "email") WHERE "state" = 'pending';

-- Counts of the last minutes: not worth a disk write each.
ALTER TABLE "rate_counts" SET UNLOGGED;

COMMENT ON TABLE "api_keys" IS 'Keys for programs. A key does no more than its maker may do at that time.';
COMMENT ON COLUMN "api_keys"."id" IS 'UUIDv7.';
COMMENT ON COLUMN "api_keys"."organization_id" IS 'The organization it belongs to.';
COMMENT ON COLUMN "api_keys"."name" IS 'What people call it.';
COMMENT ON COLUMN "api_keys"."prefix" IS 'First characters of the key, to recognise it by.';
COMMENT ON COLUMN "api_keys"."key_hash" IS 'SHA-256 of the key, hex; the key itself is shown once and never kept.';
COMMENT ON COLUMN "api_keys"."role" IS 'The most it may do.';
COMMENT ON COLUMN "api_keys"."created_by" IS 'uid of its maker.';
COMMENT ON COLUMN "api_keys"."created_at" IS 'When it was made.';
COMMENT ON COLUMN "api_keys"."expires_at" IS 'When it stops working; null is never.';
COMMENT ON COLUMN "api_keys"."last_used_at" IS 'When it was last used, to the minute.';
COMMENT ON COLUMN "api_keys"."revoked_at" IS 'When it was revoked.';
COMMENT ON TABLE "idempotency_keys" IS 'Answers of calls that named an Idempotency-Key, kept for 24 hours so that a repeated call has no second effect.';
COMMENT ON COLUMN "idempotency_keys"."caller" IS 'Who called: a uid, or an API key''s id.';
COMMENT ON COLUMN "idempotency_keys"."key" IS 'The caller''s own key.';
COMMENT ON COLUMN "idempotency_keys"."request_hash" IS 'SHA-256 of method, path and body, hex; the same key with another one is refused.';
COMMENT ON COLUMN "idempotency_keys"."status" IS 'Status of the answer; null while the first call runs.';
COMMENT ON COLUMN "idempotency_keys"."answer" IS 'The answer, encrypted: it may hold a key that is shown only once.';
COMMENT ON COLUMN "idempotency_keys"."started_at" IS 'When the first call began.';
COMMENT ON TABLE "rate_counts" IS 'Calls counted over all API processes, by user, organization and address. Lost in a crash on purpose.';
COMMENT ON COLUMN "rate_counts"."subject" IS 'Whom it counts, such as user:<uid>.';
COMMENT ON COLUMN "rate_counts"."window_start" IS 'Beginning of the minute it counts.';
COMMENT ON COLUMN "rate_counts"."calls" IS 'Calls in that minute.';
COMMENT ON TABLE "audit_events" IS 'Who did what, and who was refused. Rows are only ever added; they go with their organization.';
COMMENT ON COLUMN "audit_events"."id" IS 'UUIDv7; grows with time.';
COMMENT ON COLUMN "audit_events"."organization_id" IS 'The organization it happened in; null for what platform staff did over all of them.';
COMMENT ON COLUMN "audit_events"."at" IS 'When it happened.';
COMMENT ON COLUMN "audit_events"."actor_kind" IS 'Who acted.';
COMMENT ON COLUMN "audit_events"."actor_id" IS 'Firebase uid; of a key, its maker''s.';
COMMENT ON COLUMN "audit_events"."actor_email" IS 'E-mail at that time.';
COMMENT ON COLUMN "audit_events"."api_key_name" IS 'Name of the API key, when one acted.';
COMMENT ON COLUMN "audit_events"."role" IS 'Role at that time; null for strangers.';
COMMENT ON COLUMN "audit_events"."action" IS 'Kind of thing and verb, such as member.removed.';
COMMENT ON COLUMN "audit_events"."target_type" IS 'Kind of thing it was done to.';
COMMENT ON COLUMN "audit_events"."target_id" IS 'Id of the thing.';
COMMENT ON COLUMN "audit_events"."target_name" IS 'Name of the thing at that time.';
COMMENT ON COLUMN "audit_events"."before" IS 'Changed fields as they were; secrets are never written here.';
COMMENT ON COLUMN "audit_events"."after" IS 'Changed fields as they are now; secrets are never written here.';
COMMENT ON COLUMN "audit_events"."ip" IS 'Address of the caller.';
COMMENT ON COLUMN "audit_events"."request_id" IS 'X-Request-Id of the call.';
COMMENT ON TABLE "invitations" IS 'Asks a person into an organization. At most one is pending for an organization and an e-mail.';
COMMENT ON COLUMN "invitations"."id" IS 'UUIDv7.';
COMMENT ON COLUMN "invitations"."organization_id" IS 'The organization it belongs to.';
COMMENT ON COLUMN "invitations"."email" IS 'Who is invited, lower-cased.';
COMMENT ON COLUMN "invitations"."role" IS 'What the person will be.';
COMMENT ON COLUMN "invitations"."token_hash" IS 'SHA-256 of the mailed token, hex; the token itself is only in the mail.';
COMMENT ON COLUMN "invitations"."inviter_id" IS 'uid of who invited.';
COMMENT ON COLUMN "invitations"."state" IS 'Where it stands; pending past expires_at counts as expired.';
COMMENT ON COLUMN "invitations"."expires_at" IS 'Seven days after it was last sent.';
COMMENT ON COLUMN "invitations"."accepted_by" IS 'uid of who accepted.';
COMMENT ON COLUMN "invitations"."ended_at" IS 'When it left pending.';
COMMENT ON COLUMN "invitations"."mail_id" IS 'The mail that carries the token.';
COMMENT ON COLUMN "invitations"."created_at" IS 'When it was made.';
COMMENT ON COLUMN "invitations"."sent_at" IS 'When it was last sent.';
COMMENT ON TABLE "outbox_messages" IS 'What must reach the outside: written with the change it tells of, delivered by the worker.';
COMMENT ON COLUMN "outbox_messages"."id" IS 'UUIDv7; the receiver may know a repeated one by it.';
COMMENT ON COLUMN "outbox_messages"."organization_id" IS 'The organization it tells of; null for people alone.';
COMMENT ON COLUMN "outbox_messages"."kind" IS 'What delivers it.';
COMMENT ON COLUMN "outbox_messages"."name" IS 'What it is called: the name of a mail or of an event.';
COMMENT ON COLUMN "outbox_messages"."content" IS 'Encrypted content; emptied once delivered, for it may hold a token.';
COMMENT ON COLUMN "outbox_messages"."once_key" IS 'A second message with the same key is not written; null for those that may repeat.';
COMMENT ON COLUMN "outbox_messages"."state" IS 'Where it stands.';
COMMENT ON COLUMN "outbox_messages"."attempts" IS 'How often delivery was tried.';
COMMENT ON COLUMN "outbox_messages"."next_attempt_at" IS 'Not to be tried before.';
COMMENT ON COLUMN "outbox_messages"."last_error" IS 'What went wrong last.';
COMMENT ON COLUMN "outbox_messages"."created_at" IS 'When it was written.';
COMMENT ON COLUMN "outbox_messages"."delivered_at" IS 'When it was delivered.';
COMMENT ON COLUMN "users"."disabled_at" IS 'Shut out since; null for everybody else.';
