SET LOCAL lock_timeout = '5s';
SET LOCAL statement_timeout = '60s';

COMMENT ON COLUMN "alerts"."kind" IS 'connection.failing, connection.late, connection.pause_pending, connection.paused, the same of conversion, app.needs_reauth, destination.unreachable, payment.webhook_missing or webhook.disabled.';
