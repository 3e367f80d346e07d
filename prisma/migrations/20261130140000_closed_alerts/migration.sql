SET LOCAL lock_timeout = '5s';
SET LOCAL statement_timeout = '60s';

COMMENT ON TABLE "alerts" IS 'Problems that a user should know of. Open until acknowledged; recovered when it has ended, also if its cause has not. A partial unique index allows one alert of a kind per subject that is not recovered.';
COMMENT ON COLUMN "alerts"."recovered_at" IS 'When it ended; null: it has not ended.';
COMMENT ON COLUMN "alerts"."recovery_notified_at" IS 'When the notifications of its recovery were stored. They are never repeated. Equal to recovered_at: it was closed without them, because another alert replaced it, or its subject was changed, disconnected or deleted.';

-- 20261129100000 ended these alerts without notifications. Their apps are connected, so their cause has ended and they are not closed.
UPDATE "alerts" alert
   SET "recovery_notified_at" = alert."recovered_at" + interval '1 millisecond'
  FROM "apps" app
 WHERE app."organization_id" = alert."organization_id" AND app."id" = alert."subject_id"
   AND alert."kind" = 'app.needs_reauth' AND alert."recovery_notified_at" = alert."recovered_at"
   AND app."state" IN ('connected', 'expiring');
