SET LOCAL lock_timeout = '5s';
SET LOCAL statement_timeout = '60s';

COMMENT ON COLUMN "workers"."heartbeat_at" IS 'Last heartbeat; sent every 3 seconds.';
