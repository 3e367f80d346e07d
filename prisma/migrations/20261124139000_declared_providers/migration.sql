-- A provider is declared by its connector, so that a connector is added without a migration (decision 25). The API accepts only
-- declared names; the checks reject what cannot be one.
ALTER TABLE "apps" ALTER COLUMN "provider" TYPE TEXT USING "provider"::text;
ALTER TABLE "provider_requests" ALTER COLUMN "provider" TYPE TEXT USING "provider"::text;
DROP TYPE "provider";

ALTER TABLE "apps" ADD CONSTRAINT "apps_provider_check" CHECK ("provider" ~ '^[a-z][a-z0-9_]{1,39}$');
ALTER TABLE "provider_requests" ADD CONSTRAINT "provider_requests_provider_check" CHECK ("provider" ~ '^[a-z][a-z0-9_]{1,39}$');

COMMENT ON COLUMN "apps"."provider" IS 'Name of the provider, as its connector declares it.';
