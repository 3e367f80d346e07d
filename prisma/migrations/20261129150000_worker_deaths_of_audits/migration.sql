SET LOCAL lock_timeout = '5s';
SET LOCAL statement_timeout = '60s';

ALTER TABLE "destination_audits" ADD COLUMN "worker_deaths" INTEGER NOT NULL DEFAULT 0;
COMMENT ON COLUMN "destination_audits"."worker_deaths" IS 'Number of workers that crashed during the audit.';
