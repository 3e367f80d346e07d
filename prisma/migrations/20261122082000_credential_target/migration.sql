-- AlterTable
ALTER TABLE "apps" ADD COLUMN     "credential_target" JSONB;

COMMENT ON COLUMN "apps"."credential_target" IS 'Where typed-in credentials may be sent, as their connector names it: {host, port, database, user, sslMode}; null: nowhere, or they are no typed-in ones.';

-- Credentials were stored with the oldest destination of their app: other ones that name another place ask for them again.
UPDATE "apps" a
   SET "credential_target" = CASE a."provider"
         WHEN 'bigquery' THEN '{}'::jsonb
         WHEN 'mixpanel' THEN jsonb_build_object('residency', d."settings" -> 'residency')
         ELSE jsonb_build_object(
           'host', lower(regexp_replace(regexp_replace(d."settings" ->> 'host', '^\[(.*)\]$', '\1'), '\.$', '')),
           'port', coalesce(d."settings" -> 'port', '5432'),
           'database', d."settings" -> 'database',
           'user', d."settings" -> 'user',
           'sslMode', coalesce(d."settings" -> 'sslMode', '"prefer"'))
       END
  FROM (SELECT DISTINCT ON ("organization_id", "app_id") "organization_id", "app_id", "settings"
          FROM "destinations" ORDER BY "organization_id", "app_id", "created_at", "id") d
 WHERE d."organization_id" = a."organization_id" AND d."app_id" = a."id" AND a."auth_mode" IN ('password', 'service_account');
