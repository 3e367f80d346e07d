-- CreateTable
CREATE TABLE "provider_requests" (
    "organization_id" UUID NOT NULL,
    "provider" "provider" NOT NULL,
    "day" DATE NOT NULL,
    "requests" INTEGER NOT NULL,

    CONSTRAINT "provider_requests_pkey" PRIMARY KEY ("organization_id","provider","day")
);

-- CreateTable
CREATE TABLE "source_readings" (
    "organization_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "reading" JSONB NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "source_readings_pkey" PRIMARY KEY ("organization_id","key")
);

-- CreateIndex
CREATE INDEX "provider_requests_day_idx" ON "provider_requests"("day");

-- CreateIndex
CREATE INDEX "source_readings_expires_at_idx" ON "source_readings"("expires_at");

-- AddForeignKey
ALTER TABLE "provider_requests" ADD CONSTRAINT "provider_requests_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "source_readings" ADD CONSTRAINT "source_readings_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

COMMENT ON TABLE "provider_requests" IS 'Requests that people have caused at a platform by hand, by day: the daily budget of an organization. Kept for 31 days.';
COMMENT ON COLUMN "provider_requests"."organization_id" IS 'The organization whose budget it is.';
COMMENT ON COLUMN "provider_requests"."provider" IS 'The platform.';
COMMENT ON COLUMN "provider_requests"."day" IS 'The day in UTC.';
COMMENT ON COLUMN "provider_requests"."requests" IS 'Requests made, those under way included.';
COMMENT ON TABLE "source_readings" IS 'What an estimate has read of a source, kept for ten minutes so that a changed schedule does not read it again.';
COMMENT ON COLUMN "source_readings"."organization_id" IS 'The organization it belongs to.';
COMMENT ON COLUMN "source_readings"."key" IS 'SHA-256 of what was asked: source, its version, streams, left-out columns and look-back.';
COMMENT ON COLUMN "source_readings"."reading" IS '{lookbackDays, volumes[], sample, answered, readAt}.';
COMMENT ON COLUMN "source_readings"."expires_at" IS 'After this the platform is asked again.';
