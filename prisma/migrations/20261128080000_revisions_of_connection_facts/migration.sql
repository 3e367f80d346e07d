SET LOCAL lock_timeout = '5s';
SET LOCAL statement_timeout = '60s';

ALTER TABLE "connection_facts" ADD COLUMN "revision" BIGINT NOT NULL DEFAULT 0;
COMMENT ON COLUMN "connection_facts"."revision" IS 'Number of the transaction that last computed it. While it is the same, nothing that the list shows of the connection has changed, except its active run and its active backfill.';

-- The list keeps what it shows of a connection until the revision changes, so all that it shows must mark the connection.

CREATE OR REPLACE TRIGGER run_changed AFTER UPDATE ON runs FOR EACH ROW
  WHEN (new.track = 'regular' AND (
    (old.state, old.failure, old.faults, old.queued_at, old.ended_at) IS DISTINCT FROM (new.state, new.failure, new.faults, new.queued_at, new.ended_at)
    OR (new.ended_at IS NOT NULL AND old.* IS DISTINCT FROM new.*)))
  EXECUTE FUNCTION mark_row();

CREATE OR REPLACE TRIGGER connection_changed AFTER UPDATE ON connections FOR EACH ROW
  WHEN (old.* IS DISTINCT FROM new.*)
  EXECUTE FUNCTION mark_connection();

CREATE OR REPLACE TRIGGER source_changed AFTER UPDATE ON sources FOR EACH ROW
  WHEN ((old.name, old.account_ids, old.app_id, old.settings) IS DISTINCT FROM (new.name, new.account_ids, new.app_id, new.settings))
  EXECUTE FUNCTION mark_connections_of_source();

CREATE OR REPLACE TRIGGER destination_changed AFTER UPDATE ON destinations FOR EACH ROW
  WHEN ((old.name, old.state, old.app_id, old.failure, old.settings) IS DISTINCT FROM (new.name, new.state, new.app_id, new.failure, new.settings))
  EXECUTE FUNCTION mark_connections_of_destination();

CREATE OR REPLACE TRIGGER app_changed AFTER UPDATE ON apps FOR EACH ROW
  WHEN ((old.state, old.accounts, old.failure, old.auth_mode) IS DISTINCT FROM (new.state, new.accounts, new.failure, new.auth_mode))
  EXECUTE FUNCTION mark_connections_of_app();

CREATE TRIGGER schema_change_added AFTER INSERT ON schema_changes REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION mark_new_rows();
CREATE TRIGGER schema_change_changed AFTER UPDATE ON schema_changes FOR EACH ROW WHEN (old.state <> new.state) EXECUTE FUNCTION mark_row();
CREATE TRIGGER schema_change_deleted AFTER DELETE ON schema_changes REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION mark_old_rows();
