SET LOCAL lock_timeout = '5s';
SET LOCAL statement_timeout = '60s';

-- No later decision of the platform follows for these events, so nothing needs these fields.
UPDATE "conversion_events" e SET "private_fields" = NULL
 WHERE e."private_fields" IS NOT NULL AND e."state" = 'accepted'
   AND NOT EXISTS (SELECT FROM "conversion_requests" r
                    WHERE r."organization_id" = e."organization_id" AND r."id" = e."request_id" AND r."next_status_at" IS NOT NULL);
