SET LOCAL lock_timeout = '5s';
SET LOCAL statement_timeout = '60s';

COMMENT ON VIEW reporting.usage_v1 IS 'Usage by organization and calendar month in the time zone of the organization. Months without a run have no row. The runs of a connection are deleted 30 days after the connection, and no longer count then.';
