SET LOCAL lock_timeout = '5s';
SET LOCAL statement_timeout = '60s';

-- All organizations share the worker slots (docs/decisions/0012-share-worker-slots-between-organizations.md). Row-level security hides
-- the runs of other organizations from a tenant transaction, so these functions run as the owner of the tables. They return one number
-- and one boolean, and nothing about any run.

CREATE FUNCTION "current_turn"() RETURNS INTEGER LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
  $$ SELECT min(turn) FROM runs WHERE state = 'queued' AND track <> 'backfill' $$;

COMMENT ON FUNCTION "current_turn"() IS 'The lowest turn of the queued runs of all organizations, without backfills; null: none is queued.';

CREATE FUNCTION "is_slot_needed"(wait_seconds DOUBLE PRECISION) RETURNS BOOLEAN LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = public, pg_temp AS
  $$ SELECT EXISTS (SELECT FROM runs WHERE state = 'queued' AND track <> 'backfill'
                     AND queued_at < now() - make_interval(secs => wait_seconds)) $$;

COMMENT ON FUNCTION "is_slot_needed"(DOUBLE PRECISION) IS 'Whether a run of any organization, other than backfills, has waited for a slot for so many seconds.';
