-- CreateEnum
CREATE TYPE "disabled_reason" AS ENUM ('identity_disabled', 'identity_deleted', 'staff');

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "disabled_note" TEXT,
ADD COLUMN     "disabled_reason" "disabled_reason",
ADD COLUMN     "tokens_valid_after" TIMESTAMPTZ(3);

-- Until now only an operator could disable a person.
UPDATE "users" SET "disabled_reason" = 'staff' WHERE "disabled_at" IS NOT NULL;

COMMENT ON COLUMN "users"."disabled_reason" IS 'Who or what disabled the person. Only identity_* is undone when the account works again at the identity provider.';
COMMENT ON COLUMN "users"."disabled_note" IS 'Why platform staff disabled the person, in their words.';
COMMENT ON COLUMN "users"."tokens_valid_after" IS 'Tokens of sign-ins before this are refused; the identity provider''s validSince.';
