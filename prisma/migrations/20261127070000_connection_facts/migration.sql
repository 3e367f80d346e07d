CREATE TABLE "connection_facts" (
    "organization_id" UUID NOT NULL,
    "connection_id" UUID NOT NULL,
    "severity" SMALLINT NOT NULL,
    "is_paused" BOOLEAN NOT NULL,
    "recheck_at" TIMESTAMPTZ(3),
    -- Sorted as by the web app's language, not by bytes.
    "name" TEXT COLLATE "und-x-icu" NOT NULL,
    "search_text" TEXT NOT NULL,
    "tags" TEXT[],
    "source_app_id" UUID NOT NULL,
    "destination_app_id" UUID NOT NULL,
    "complete_through" DATE,
    "newest_complete" DATE,
    "accounts_missing" INTEGER NOT NULL,
    "rows_by_day" JSONB NOT NULL,
    "last_run_id" UUID,
    "failed_in_a_row" INTEGER NOT NULL,
    "active_run_id" UUID,

    CONSTRAINT "connection_facts_pkey" PRIMARY KEY ("organization_id","connection_id")
);
COMMENT ON TABLE "connection_facts" IS 'Facts of connections: what their list sorts, filters and shows, computed from runs, coverage and settings. Can be rebuilt. No foreign key: a connection may be purged while its facts are computed.';
COMMENT ON COLUMN "connection_facts"."organization_id" IS 'The organization that owns this row.';
COMMENT ON COLUMN "connection_facts"."connection_id" IS 'The connection.';
COMMENT ON COLUMN "connection_facts"."severity" IS 'Its health as a position in the list of healths, worst first (0: needs_reauth), if the organization has access.';
COMMENT ON COLUMN "connection_facts"."is_paused" IS 'Whether its desired state is paused. Without access, all others are shown as paused.';
COMMENT ON COLUMN "connection_facts"."recheck_at" IS 'When its health becomes stale if nothing changes; null: never, or it is worse.';
COMMENT ON COLUMN "connection_facts"."name" IS 'Display name of the connection.';
COMMENT ON COLUMN "connection_facts"."search_text" IS 'What the list searches, in lower case: the names of the connection, its source and its destination, and its tags.';
COMMENT ON COLUMN "connection_facts"."tags" IS 'Tags of the connection.';
COMMENT ON COLUMN "connection_facts"."source_app_id" IS 'The app of its source.';
COMMENT ON COLUMN "connection_facts"."destination_app_id" IS 'The app of its destination.';
COMMENT ON COLUMN "connection_facts"."complete_through" IS 'Last day up to which every account-day is complete, also if that day is not over yet; null: it reads no account.';
COMMENT ON COLUMN "connection_facts"."newest_complete" IS 'Newest day that is complete for every account and stream with data; null: none.';
COMMENT ON COLUMN "connection_facts"."accounts_missing" IS 'Number of accounts with a missing or failed day.';
COMMENT ON COLUMN "connection_facts"."rows_by_day" IS '{day: rows} of the loaded days of the last 30 days at the time of the computation.';
COMMENT ON COLUMN "connection_facts"."last_run_id" IS 'The last regular run that ended and was neither canceled nor skipped; null: none.';
COMMENT ON COLUMN "connection_facts"."failed_in_a_row" IS 'Number of failed regular runs since the last one that loaded something.';
COMMENT ON COLUMN "connection_facts"."active_run_id" IS 'The regular run that has not ended; null: none.';

CREATE INDEX "connection_facts_order" ON "connection_facts"("organization_id", "severity", "name", "connection_id");
CREATE INDEX "connection_facts_organization_id_recheck_at_idx" ON "connection_facts"("organization_id", "recheck_at");
CREATE INDEX "connection_facts_recheck_at_idx" ON "connection_facts"("recheck_at");

CREATE TABLE "connection_totals" (
    "organization_id" UUID NOT NULL,
    "counts" JSONB NOT NULL DEFAULT '{}',
    "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],

    CONSTRAINT "connection_totals_pkey" PRIMARY KEY ("organization_id")
);
COMMENT ON TABLE "connection_totals" IS 'Totals of the connection facts of an organization. The row is the lock of their computation.';
COMMENT ON COLUMN "connection_totals"."organization_id" IS 'The organization that owns this row.';
COMMENT ON COLUMN "connection_totals"."counts" IS '{severity: number of connections}, if the organization has access.';
COMMENT ON COLUMN "connection_totals"."tags" IS 'Tags of all connections, sorted, at most 200.';

ALTER TABLE "connection_totals" ADD CONSTRAINT "connection_totals_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

CREATE TABLE "connection_marks" (
    "id" BIGSERIAL NOT NULL,
    "organization_id" UUID NOT NULL,
    "connection_id" UUID NOT NULL,
    "has_coverage" BOOLEAN NOT NULL,

    CONSTRAINT "connection_marks_pkey" PRIMARY KEY ("id")
);
COMMENT ON TABLE "connection_marks" IS 'Marks of connections whose facts must be computed again. Triggers add them in the transaction of a change. No foreign keys: a mark may be older or newer than its connection.';
COMMENT ON COLUMN "connection_marks"."id" IS 'Sequence number.';
COMMENT ON COLUMN "connection_marks"."organization_id" IS 'The organization that owns this row.';
COMMENT ON COLUMN "connection_marks"."connection_id" IS 'The connection.';
COMMENT ON COLUMN "connection_marks"."has_coverage" IS 'Whether facts from its coverage may have changed, which take longer to compute.';

CREATE INDEX "connection_marks_organization_id_id_idx" ON "connection_marks"("organization_id", "id");

-- Triggers, because every transaction that changes a fact must mark it, and such statements are in many modules. A mark is a new
-- row: it takes no lock, so it neither delays runs nor changes the order of locks.
CREATE FUNCTION mark_new_rows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO connection_marks (organization_id, connection_id, has_coverage)
  SELECT DISTINCT organization_id, connection_id, TG_TABLE_NAME = 'coverage' FROM new_rows;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION mark_new_rows IS 'Marks the connections of rows that a statement wrote.';

CREATE FUNCTION mark_old_rows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO connection_marks (organization_id, connection_id, has_coverage)
  SELECT DISTINCT organization_id, connection_id, TG_TABLE_NAME = 'coverage' FROM old_rows;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION mark_old_rows IS 'Marks the connections of rows that a statement deleted.';

CREATE FUNCTION mark_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO connection_marks (organization_id, connection_id, has_coverage)
  VALUES (new.organization_id, new.connection_id, false);
  RETURN NULL;
END $$;
COMMENT ON FUNCTION mark_row IS 'Marks the connection of a row that changed.';

CREATE FUNCTION mark_connection() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO connection_marks (organization_id, connection_id, has_coverage) VALUES (new.organization_id, new.id,
    TG_OP = 'INSERT' OR (new.streams, new.history_from, new.source_id) IS DISTINCT FROM (old.streams, old.history_from, old.source_id));
  RETURN NULL;
END $$;
COMMENT ON FUNCTION mark_connection IS 'Marks a connection that was added or changed.';

CREATE FUNCTION mark_gone_connection() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO connection_marks (organization_id, connection_id, has_coverage) VALUES (old.organization_id, old.id, false);
  RETURN NULL;
END $$;
COMMENT ON FUNCTION mark_gone_connection IS 'Marks a connection that was deleted permanently.';

CREATE FUNCTION mark_connections_of_source() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO connection_marks (organization_id, connection_id, has_coverage)
  SELECT c.organization_id, c.id, (new.account_ids, new.app_id) IS DISTINCT FROM (old.account_ids, old.app_id)
    FROM connections c WHERE c.organization_id = new.organization_id AND c.source_id = new.id AND c.deleted_at IS NULL;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION mark_connections_of_source IS 'Marks the connections of a source that changed.';

CREATE FUNCTION mark_connections_of_destination() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO connection_marks (organization_id, connection_id, has_coverage)
  SELECT c.organization_id, c.id, false
    FROM connections c WHERE c.organization_id = new.organization_id AND c.destination_id = new.id AND c.deleted_at IS NULL;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION mark_connections_of_destination IS 'Marks the connections of a destination that changed.';

CREATE FUNCTION mark_connections_of_app() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The accounts have the time zones in which days end.
  INSERT INTO connection_marks (organization_id, connection_id, has_coverage)
  SELECT c.organization_id, c.id, new.accounts IS DISTINCT FROM old.accounts
    FROM connections c
    JOIN sources s ON s.organization_id = c.organization_id AND s.id = c.source_id
    JOIN destinations d ON d.organization_id = c.organization_id AND d.id = c.destination_id
   WHERE c.organization_id = new.organization_id AND new.id IN (s.app_id, d.app_id) AND c.deleted_at IS NULL;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION mark_connections_of_app IS 'Marks the connections of an app that changed.';

CREATE TRIGGER coverage_added AFTER INSERT ON coverage REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION mark_new_rows();
CREATE TRIGGER coverage_changed AFTER UPDATE ON coverage REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION mark_new_rows();
CREATE TRIGGER coverage_deleted AFTER DELETE ON coverage REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION mark_old_rows();

-- Heartbeats, steps and counts of a run change no fact. Each completed slice writes faults = 0.
CREATE TRIGGER run_added AFTER INSERT ON runs REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION mark_new_rows();
CREATE TRIGGER run_changed AFTER UPDATE ON runs FOR EACH ROW
  WHEN (new.track = 'regular' AND (old.state, old.failure, old.faults, old.queued_at, old.ended_at) IS DISTINCT FROM (new.state, new.failure, new.faults, new.queued_at, new.ended_at))
  EXECUTE FUNCTION mark_row();
CREATE TRIGGER run_deleted AFTER DELETE ON runs REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION mark_old_rows();

CREATE TRIGGER backfill_added AFTER INSERT ON backfills REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION mark_new_rows();
CREATE TRIGGER backfill_changed AFTER UPDATE ON backfills FOR EACH ROW WHEN (old.state <> new.state) EXECUTE FUNCTION mark_row();
CREATE TRIGGER backfill_deleted AFTER DELETE ON backfills REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION mark_old_rows();

CREATE TRIGGER connection_added AFTER INSERT ON connections FOR EACH ROW EXECUTE FUNCTION mark_connection();
CREATE TRIGGER connection_changed AFTER UPDATE ON connections FOR EACH ROW
  WHEN ((old.name, old.tags, old.desired, old.paused_reason, old.schedule, old.streams, old.history_from, old.source_id, old.destination_id, old.payment_id, old.deleted_at)
        IS DISTINCT FROM (new.name, new.tags, new.desired, new.paused_reason, new.schedule, new.streams, new.history_from, new.source_id, new.destination_id, new.payment_id, new.deleted_at))
  EXECUTE FUNCTION mark_connection();
CREATE TRIGGER connection_gone AFTER DELETE ON connections FOR EACH ROW EXECUTE FUNCTION mark_gone_connection();

CREATE TRIGGER source_changed AFTER UPDATE ON sources FOR EACH ROW
  WHEN ((old.name, old.account_ids, old.app_id) IS DISTINCT FROM (new.name, new.account_ids, new.app_id))
  EXECUTE FUNCTION mark_connections_of_source();
CREATE TRIGGER destination_changed AFTER UPDATE ON destinations FOR EACH ROW
  WHEN ((old.name, old.state, old.app_id) IS DISTINCT FROM (new.name, new.state, new.app_id))
  EXECUTE FUNCTION mark_connections_of_destination();
CREATE TRIGGER app_changed AFTER UPDATE ON apps FOR EACH ROW
  WHEN ((old.state, old.accounts) IS DISTINCT FROM (new.state, new.accounts))
  EXECUTE FUNCTION mark_connections_of_app();

INSERT INTO connection_marks (organization_id, connection_id, has_coverage)
SELECT organization_id, id, true FROM connections WHERE deleted_at IS NULL;

COMMENT ON TABLE "connections" IS 'Loads a source into a destination on a schedule. Its health is computed from runs and coverage; connection_facts stores the result.';
