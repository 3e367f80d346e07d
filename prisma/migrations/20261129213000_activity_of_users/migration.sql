SET LOCAL lock_timeout = '5s';
SET LOCAL statement_timeout = '60s';

COMMENT ON COLUMN "users"."last_seen_at" IS 'When the user last used the product, accurate to one hour; null: not recorded.';
