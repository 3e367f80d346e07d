-- CreateTable
CREATE TABLE "organization_logos" (
    "organization_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "content_type" TEXT NOT NULL,
    "content" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "organization_logos_pkey" PRIMARY KEY ("organization_id")
);

-- CreateTable
CREATE TABLE "checkout_sessions" (
    "organization_id" UUID NOT NULL,
    "id" TEXT NOT NULL,
    "opened_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "asked_at" TIMESTAMPTZ(3),
    "is_complete" BOOLEAN,

    CONSTRAINT "checkout_sessions_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "organization_logos_id_key" ON "organization_logos"("id");

-- CreateIndex
CREATE INDEX "organizations_created_by_idx" ON "organizations"("created_by");

-- AddForeignKey
ALTER TABLE "organization_logos" ADD CONSTRAINT "organization_logos_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "checkout_sessions" ADD CONSTRAINT "checkout_sessions_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Of earlier sessions only the last one of an organization is known.
INSERT INTO "checkout_sessions" ("organization_id", "id")
SELECT "organization_id", "last_checkout_session_id" FROM "subscriptions" WHERE "last_checkout_session_id" IS NOT NULL;

-- Data URLs become rows. PostgreSQL decodes whole groups of four characters only, and the old check also took unpadded ones.
-- Addresses elsewhere are dropped: a logo is uploaded now.
INSERT INTO "organization_logos" ("organization_id", "id", "content_type", "content")
SELECT "id", gen_random_uuid(), "content_type", decode(rpad("digits", (length("digits") + 3) / 4 * 4, '='), 'base64')
  FROM (SELECT "id", substring("logo" FROM '^data:(image/(?:png|jpeg|webp));base64,') AS "content_type",
               rtrim(split_part("logo", ',', 2), '=') AS "digits"
          FROM "organizations"
         WHERE "logo" ~ '^data:image/(png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$') AS "pictures"
 WHERE length("digits") % 4 <> 1;

-- AlterTable
ALTER TABLE "organizations" DROP COLUMN "logo";

COMMENT ON TABLE "organization_logos" IS 'Logos, stored once and served by URL. A new one takes the place and not the id of the one before, so that its URL never changes content.';
COMMENT ON COLUMN "organization_logos"."organization_id" IS 'The organization that shows it.';
COMMENT ON COLUMN "organization_logos"."id" IS 'Random (UUIDv4): the URL is public, and only members and invited people learn it.';
COMMENT ON COLUMN "organization_logos"."content_type" IS 'image/png, image/jpeg or image/webp, as its first bytes say.';
COMMENT ON COLUMN "organization_logos"."content" IS 'The picture, at most 200 kB.';
COMMENT ON COLUMN "organization_logos"."created_at" IS 'When it was uploaded.';
COMMENT ON TABLE "checkout_sessions" IS 'Checkout sessions that an organization opened at Stripe, and what Stripe last said of each. Stripe is asked about no other.';
COMMENT ON COLUMN "checkout_sessions"."organization_id" IS 'The organization that opened it.';
COMMENT ON COLUMN "checkout_sessions"."id" IS 'Stripe''s id of the session.';
COMMENT ON COLUMN "checkout_sessions"."opened_at" IS 'When it was opened.';
COMMENT ON COLUMN "checkout_sessions"."asked_at" IS 'When Stripe was last asked about it, at most once a minute; null: never.';
COMMENT ON COLUMN "checkout_sessions"."is_complete" IS 'Stripe''s last answer: whether it was paid; null while there is none.';
COMMENT ON COLUMN "outbox_messages"."user_id" IS 'uid of the person who caused it: for events that a client may report too, and for invitations, which are limited per person; null for everything else.';
