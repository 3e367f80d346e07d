SET LOCAL lock_timeout = '5s';
SET LOCAL statement_timeout = '60s';

COMMENT ON COLUMN "idempotency_keys"."request_hash" IS 'HMAC-SHA-256 of method, path and body with a key of the installation, hex. The same key with another hash is rejected.';
