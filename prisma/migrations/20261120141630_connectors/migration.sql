-- AlterEnum
ALTER TYPE "auth_mode" ADD VALUE 'service_account';

-- AlterEnum
-- This migration adds more than one value to an enum.
-- With PostgreSQL versions 11 and earlier, this is not possible
-- in a single migration. This can be worked around by creating
-- multiple migrations, each migration adding only one value to
-- the enum.


ALTER TYPE "provider" ADD VALUE 'meta_ads';
ALTER TYPE "provider" ADD VALUE 'microsoft_ads';
ALTER TYPE "provider" ADD VALUE 'bigquery';
ALTER TYPE "provider" ADD VALUE 'mixpanel';

-- AlterTable
ALTER TABLE "apps" ADD COLUMN     "quota" JSONB,
ADD COLUMN     "sign_in_again_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "run_slices" ADD COLUMN     "remote_job_id" TEXT;

-- AlterTable
ALTER TABLE "sources" ADD COLUMN     "settings" JSONB NOT NULL DEFAULT '{}';

-- CreateTable
CREATE TABLE "sent_rows" (
    "organization_id" UUID NOT NULL,
    "destination_id" UUID NOT NULL,
    "stream" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "revision" INTEGER NOT NULL,
    "state" JSONB NOT NULL,
    "planned" JSONB,

    CONSTRAINT "sent_rows_pkey" PRIMARY KEY ("organization_id","destination_id","stream","account_id","day","key")
);

-- AddForeignKey
ALTER TABLE "sent_rows" ADD CONSTRAINT "sent_rows_organization_id_destination_id_fkey" FOREIGN KEY ("organization_id", "destination_id") REFERENCES "destinations"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;
COMMENT ON COLUMN "apps"."sign_in_again_at" IS 'When a person must sign in again, as far as the provider tells; null: not known, or never.';
COMMENT ON COLUMN "apps"."quota" IS '{usedPercent, resetAt, at}: how much of the provider''s limit was used, as told last.';
COMMENT ON COLUMN "sources"."settings" IS '{level, breakdowns[], lookbackDays, and what the connector''s own schema has}.';
COMMENT ON COLUMN "run_slices"."remote_job_id" IS 'The provider''s id of a report under way, by which a crash goes on waiting for it; null when there is none.';
COMMENT ON TABLE "sent_rows" IS 'What a destination that cannot replace rows was sent, row by row, so that a restatement is sent as its exact difference.';
COMMENT ON COLUMN "sent_rows"."organization_id" IS 'The organization it belongs to.';
COMMENT ON COLUMN "sent_rows"."destination_id" IS 'Where it was sent.';
COMMENT ON COLUMN "sent_rows"."stream" IS 'Stream name.';
COMMENT ON COLUMN "sent_rows"."account_id" IS 'The provider''s account id.';
COMMENT ON COLUMN "sent_rows"."key" IS 'The row''s key as text.';
COMMENT ON COLUMN "sent_rows"."day" IS 'The account''s calendar day of the row.';
COMMENT ON COLUMN "sent_rows"."revision" IS 'Counts what was sent for this key, from 1.';
COMMENT ON COLUMN "sent_rows"."state" IS 'What the destination holds for the key when everything planned has arrived.';
COMMENT ON COLUMN "sent_rows"."planned" IS 'What is to be sent for this revision; null once it is confirmed.';
