SET LOCAL lock_timeout = '5s';
SET LOCAL statement_timeout = '60s';

ALTER TABLE "stream_targets" ADD COLUMN "converted_currency" TEXT;
COMMENT ON COLUMN "stream_targets"."converted_currency" IS 'Currency of the converted costs of all loaded days, ISO 4217; null: none, or not known.';
