-- CreateEnum
CREATE TYPE "app_event_kind" AS ENUM ('connected', 'reconnected', 'refreshed', 'refresh_failed', 'probe_ok', 'probe_failed', 'needs_reauth', 'renamed', 'disconnected', 'shared');

-- AlterTable
ALTER TABLE "apps" ADD COLUMN     "needs_reauth_since" TIMESTAMPTZ(3),
ADD COLUMN     "next_probe_at" TIMESTAMPTZ(3),
ADD COLUMN     "refresh_failing_since" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "oauth_states" ADD COLUMN     "held_grant" TEXT,
ADD COLUMN     "held_until" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "app_events" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "app_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "event" "app_event_kind" NOT NULL,
    "actor" TEXT,
    "detail" TEXT,

    CONSTRAINT "app_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "app_share_links" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "app_id" UUID NOT NULL,
    "token_hash" TEXT NOT NULL,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "app_share_links_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "app_events_organization_id_app_id_id_idx" ON "app_events"("organization_id", "app_id", "id");

-- CreateIndex
CREATE INDEX "app_events_at_idx" ON "app_events"("at");

-- CreateIndex
CREATE UNIQUE INDEX "app_share_links_token_hash_key" ON "app_share_links"("token_hash");

-- CreateIndex
CREATE INDEX "app_share_links_organization_id_app_id_created_at_idx" ON "app_share_links"("organization_id", "app_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "apps_next_probe_at_idx" ON "apps"("next_probe_at");

-- AddForeignKey
ALTER TABLE "app_events" ADD CONSTRAINT "app_events_organization_id_app_id_fkey" FOREIGN KEY ("organization_id", "app_id") REFERENCES "apps"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "app_share_links" ADD CONSTRAINT "app_share_links_organization_id_app_id_fkey" FOREIGN KEY ("organization_id", "app_id") REFERENCES "apps"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;
COMMENT ON COLUMN "apps"."next_probe_at" IS 'When it is asked next; null: not by itself.';
COMMENT ON COLUMN "apps"."refresh_failing_since" IS 'First refused refresh since the last one that worked; null: the last one worked.';
COMMENT ON COLUMN "apps"."needs_reauth_since" IS 'When its sign-in was found dead; null while it lives.';
COMMENT ON TABLE "app_events" IS 'What became of an app, for the people who wonder why it works or does not. Kept for 90 days.';
COMMENT ON COLUMN "app_events"."id" IS 'UUIDv7; grows with time.';
COMMENT ON COLUMN "app_events"."organization_id" IS 'The organization it belongs to.';
COMMENT ON COLUMN "app_events"."app_id" IS 'The app it tells of.';
COMMENT ON COLUMN "app_events"."at" IS 'When it happened.';
COMMENT ON COLUMN "app_events"."event" IS 'What happened.';
COMMENT ON COLUMN "app_events"."actor" IS 'E-mail of who did it; null: the product by itself.';
COMMENT ON COLUMN "app_events"."detail" IS 'A sentence; secrets are never written here.';
COMMENT ON TABLE "app_share_links" IS 'Links by which somebody without an account here reconnects one app: single use, 24 hours.';
COMMENT ON COLUMN "app_share_links"."id" IS 'UUIDv7.';
COMMENT ON COLUMN "app_share_links"."organization_id" IS 'The organization it belongs to.';
COMMENT ON COLUMN "app_share_links"."app_id" IS 'The only app it reconnects.';
COMMENT ON COLUMN "app_share_links"."token_hash" IS 'SHA-256 of the token in the link; the token itself is kept nowhere.';
COMMENT ON COLUMN "app_share_links"."created_by" IS 'uid of who shared it.';
COMMENT ON COLUMN "app_share_links"."created_at" IS 'When it was made.';
COMMENT ON COLUMN "app_share_links"."expires_at" IS 'After this it is refused.';
COMMENT ON COLUMN "app_share_links"."used_at" IS 'When the app was reconnected by it; a second use is refused.';
COMMENT ON COLUMN "app_share_links"."revoked_at" IS 'When it was taken back.';
COMMENT ON COLUMN "oauth_states"."user_id" IS 'uid of who started it, or `link:` and the id of the share link that did.';
COMMENT ON COLUMN "oauth_states"."held_grant" IS 'Encrypted grant of another user than the app''s, until somebody accepts it.';
COMMENT ON COLUMN "oauth_states"."held_until" IS 'After this the held grant is forgotten.';

-- Apps that live already are asked within a day, spread over it.
UPDATE "apps" SET "next_probe_at" = now() + random() * interval '1 day'
 WHERE "auth_mode" = 'oauth2' AND "state" IN ('connected', 'expiring') AND "deleted_at" IS NULL;
UPDATE "apps" SET "needs_reauth_since" = "updated_at" WHERE "state" = 'needs_reauth' AND "deleted_at" IS NULL;
