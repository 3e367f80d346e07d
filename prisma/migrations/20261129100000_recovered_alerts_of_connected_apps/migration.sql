SET LOCAL lock_timeout = '5s';
SET LOCAL statement_timeout = '60s';

-- A new key did not end the alert of its app, which hid the alerts of its connections. It ends without a notification.
UPDATE "alerts" alert
   SET "recovered_at" = now(),
       "opening_notified_at" = coalesce("opening_notified_at", now()),
       "recovery_notified_at" = now()
  FROM "apps" app
 WHERE app."organization_id" = alert."organization_id" AND app."id" = alert."subject_id"
   AND alert."kind" = 'app.needs_reauth' AND alert."recovered_at" IS NULL
   AND app."state" IN ('connected', 'expiring');
