-- Repeated refusals are one row with a count.
ALTER TABLE "audit_events" ADD COLUMN     "count" INTEGER NOT NULL DEFAULT 1,
ADD COLUMN     "last_at" TIMESTAMPTZ(3),
ADD COLUMN     "repeat_key" TEXT;
CREATE UNIQUE INDEX "audit_events_repeat_key_key" ON "audit_events"("repeat_key");

-- Every key expires. Those without an end get the year that new ones have, and 30 days at least, so that their makers are warned.
UPDATE "api_keys" SET "expires_at" = greatest("created_at" + interval '365 days', now() + interval '30 days') WHERE "expires_at" IS NULL;
ALTER TABLE "api_keys" ALTER COLUMN "expires_at" SET NOT NULL;

-- What people left behind before their removal, demotion or disabling revoked it. A key would have come back to life with them.
UPDATE "api_keys" k SET "revoked_at" = now()
 WHERE k."revoked_at" IS NULL
   AND NOT EXISTS (SELECT FROM "members" m JOIN "users" u ON u."uid" = m."user_id" AND u."disabled_at" IS NULL
                    WHERE m."organization_id" = k."organization_id" AND m."user_id" = k."created_by");
-- Keys of makers who were demoted keep the role they act with today: revoking them here would stop programs unannounced.
UPDATE "api_keys" k SET "role" = m."role"
  FROM "members" m
 WHERE m."organization_id" = k."organization_id" AND m."user_id" = k."created_by" AND k."role" > m."role";
UPDATE "invitations" i SET "state" = 'revoked', "ended_at" = now()
 WHERE i."state" = 'pending'
   AND NOT EXISTS (SELECT FROM "members" m JOIN "users" u ON u."uid" = m."user_id" AND u."disabled_at" IS NULL
                    WHERE m."organization_id" = i."organization_id" AND m."user_id" = i."inviter_id" AND m."role" >= i."role");
UPDATE "app_share_links" l SET "revoked_at" = now()
 WHERE l."revoked_at" IS NULL AND l."expires_at" > now()
   AND NOT EXISTS (SELECT FROM "members" m JOIN "users" u ON u."uid" = m."user_id" AND u."disabled_at" IS NULL
                    WHERE m."organization_id" = l."organization_id" AND m."user_id" = l."created_by" AND m."role" >= 'admin');

COMMENT ON TABLE "audit_events" IS 'Who did what, and who was refused. Rows are only ever added, but for the count of repeated refusals; they go with their organization.';
COMMENT ON COLUMN "audit_events"."repeat_key" IS 'Repeated refusals of one caller in one hour are one row: organization, hour, caller, target and code. Null for everything else.';
COMMENT ON COLUMN "audit_events"."count" IS 'How often it happened in that hour.';
COMMENT ON COLUMN "audit_events"."last_at" IS 'When it happened last; null: only once.';
COMMENT ON COLUMN "api_keys"."expires_at" IS 'When it expires: a year after it was made unless its maker said otherwise, two years at most.';
