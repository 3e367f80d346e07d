SET LOCAL lock_timeout = '5s';
SET LOCAL statement_timeout = '60s';

COMMENT ON COLUMN "freshness_days"."check_at" IS 'When it is checked next without an event; null: complete, or its deadline passed during a pause.';
