SET LOCAL lock_timeout = '5s';
SET LOCAL statement_timeout = '60s';

-- Row-level security (docs/decisions/0028-row-level-security.md): a second check behind the conditions of the queries. The owner of
-- the tables is exempt, so that migrations, backups and the views of the schema reporting see all rows.

CREATE FUNCTION "tenant_scope"() RETURNS UUID LANGUAGE sql STABLE PARALLEL SAFE AS
  $$ SELECT nullif(current_setting('tributary.organization_id', true), '')::uuid $$;

COMMENT ON FUNCTION "tenant_scope"() IS 'The organization to which row-level security limits the transaction; null: no limit.';

-- The sub-selects are computed once per statement, not per row. The planner estimates that a CASE is true for half of the rows; it
-- would take a second comparison of organization_id for a further condition and expect almost no rows.
CREATE PROCEDURE "protect_tenant_table"(target regclass, organization name DEFAULT 'organization_id', allows_none boolean DEFAULT false)
LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
  EXECUTE format(
    'CREATE POLICY tenant ON %s USING (%s) WITH CHECK (%s)',
    target,
    format('CASE WHEN (SELECT tenant_scope()) IS NULL THEN true ELSE %I = (SELECT tenant_scope()) END', organization),
    format('CASE WHEN (SELECT tenant_scope()) IS NULL%s THEN true ELSE %I = (SELECT tenant_scope()) END',
      CASE WHEN allows_none THEN format(' OR %I IS NULL', organization) ELSE '' END, organization));
END $$;

COMMENT ON PROCEDURE "protect_tenant_table"(regclass, name, boolean) IS 'Enables row-level security for a table of organizations. allows_none: a transaction of one organization may also insert rows without an organization.';

CALL "protect_tenant_table"('organizations', 'id');

DO $$
DECLARE
  tenant record;
BEGIN
  FOR tenant IN
    SELECT columns.attrelid::regclass AS name, NOT columns.attnotnull AS is_optional
    FROM pg_attribute AS columns JOIN pg_class AS tables ON tables.oid = columns.attrelid
    WHERE tables.relnamespace = 'public'::regnamespace AND tables.relkind IN ('r', 'p')
      AND columns.attname = 'organization_id' AND NOT columns.attisdropped
    ORDER BY tables.relname
  LOOP
    CALL "protect_tenant_table"(tenant.name, 'organization_id', tenant.is_optional);
  END LOOP;
END $$;
