-- AlterTable
ALTER TABLE "apps" ADD COLUMN     "refresh_refusals" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "refresh_refused_at" TIMESTAMPTZ(3);

COMMENT ON COLUMN apps.refresh_refusals IS 'Refusals in a row of which the provider may be wrong; the third is believed.';
COMMENT ON COLUMN apps.refresh_refused_at IS 'When the last of them came; it is asked again a minute later.';
