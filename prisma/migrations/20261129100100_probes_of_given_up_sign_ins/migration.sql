SET LOCAL lock_timeout = '5s';
SET LOCAL statement_timeout = '60s';

-- The platform has not rejected these sign-ins, so their renewal is tried again, spread over a day.
UPDATE "apps" SET "next_probe_at" = now() + random() * interval '1 day'
 WHERE "state" = 'needs_reauth' AND "failure"->>'code' LIKE '%.refresh\_given\_up' AND "auth_mode" = 'oauth2'
   AND "credentials" IS NOT NULL AND "deleted_at" IS NULL;
