SET LOCAL lock_timeout = '5s';
SET LOCAL statement_timeout = '60s';

-- A migration of its own: the table is not locked meanwhile.
UPDATE "runs" r SET "is_initial_load" = true
  FROM (SELECT "organization_id", "connection_id",
               min("queued_at") FILTER (WHERE "state" = 'succeeded' OR "rows_written" > 0) AS "first_loaded_at"
          FROM "runs" GROUP BY "organization_id", "connection_id") c
 WHERE r."organization_id" = c."organization_id" AND r."connection_id" = c."connection_id" AND r."track" = 'regular'
   AND (c."first_loaded_at" IS NULL OR r."queued_at" <= c."first_loaded_at");
