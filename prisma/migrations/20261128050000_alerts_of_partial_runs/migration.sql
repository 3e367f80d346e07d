SET LOCAL lock_timeout = '5s';
SET LOCAL statement_timeout = '60s';

-- Rules about failing connections include connections that are only partly verified.
UPDATE "notification_rules" SET "events" = "events" || 'connection.partial'::text
 WHERE 'connection.failing' = ANY ("events") AND NOT 'connection.partial' = ANY ("events");

COMMENT ON COLUMN "alerts"."kind" IS 'connection.failing, connection.partial, connection.late, connection.pause_pending, connection.paused, the same of conversion, app.needs_reauth, destination.unreachable, payment.webhook_missing or webhook.disabled.';
