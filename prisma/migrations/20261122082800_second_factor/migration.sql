-- AlterTable
ALTER TABLE "organizations" ADD COLUMN     "require_second_factor" BOOLEAN NOT NULL DEFAULT false;

COMMENT ON COLUMN "organizations"."require_second_factor" IS 'Whether its owners and admins must sign in with a second factor.';
