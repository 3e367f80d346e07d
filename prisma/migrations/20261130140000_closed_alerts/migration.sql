SET LOCAL lock_timeout = '5s';
SET LOCAL statement_timeout = '60s';

COMMENT ON COLUMN "alerts"."recovered_at" IS 'When it ended; null: it has not ended.';
COMMENT ON COLUMN "alerts"."recovery_notified_at" IS 'When the notifications of its recovery were stored. They are never repeated. Equal to recovered_at: it was closed without them, because another alert replaced it, or its subject was changed, disconnected or deleted.';
