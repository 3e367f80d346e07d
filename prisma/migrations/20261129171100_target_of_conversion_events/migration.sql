SET LOCAL lock_timeout = '5s';
SET LOCAL statement_timeout = '60s';

ALTER TABLE "conversion_events" ADD COLUMN "target_key" TEXT;
COMMENT ON COLUMN "conversion_events"."target_key" IS 'Conversion action, dataset or goal that it was last sent to, or prepared for if it was not sent; null: stored by an earlier release, and taken as the current one.';
COMMENT ON COLUMN "conversion_events"."payload" IS 'The event as it is sent, with hashed identifiers and without the name of the goal or event, IP address, browser, page and plain external id; null: ineligible.';
