SET LOCAL lock_timeout = '5s';
SET LOCAL statement_timeout = '60s';

COMMENT ON COLUMN reporting.daily_rows_v1.cost IS 'Cost in units of the currency. Of connections of payments: the amount of their events, which is revenue. Never add both.';
