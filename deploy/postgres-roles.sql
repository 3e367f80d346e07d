-- Makes one role the owner of the current database and its objects, and lets another role connect. Run it as superuser. It can
-- be repeated.
-- Used by deploy/postgres-roles.sh (Compose) and by make start. A DO block has no parameters, so it reads these settings:
--   tributary.owner, tributary.owner_password: owns every object and applies migrations.
--   tributary.application, tributary.application_password: connects; ROLE=migrate grants its other rights. Optional.
-- docs/operations.md, "Roles of the database", has the call with psql, which sets them.

-- Other roles can create objects in this database. They must not shadow PostgreSQL's own, because this runs as superuser.
set search_path = pg_catalog, pg_temp;

do $$
declare
  owner text := current_setting('tributary.owner');
  application text := nullif(current_setting('tributary.application', true), '');
  account record;
  change text;
begin
  for account in
    select owner as name, current_setting('tributary.owner_password') as password
    union all
    select application, current_setting('tributary.application_password') where application is not null
  loop
    if not exists (select from pg_roles where rolname = account.name) then
      execute format('create role %I', account.name);
    end if;
    execute format('alter role %I login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password %L',
      account.name, account.password);
  end loop;
  execute format('alter database %I owner to %I', current_database(), owner);
  execute format('revoke all on database %I from public', current_database());
  if application is not null then
    execute format('grant connect on database %I to %I', current_database(), application);
    -- The role of reports, as in the migration of the reporting views. An operator gives it a password.
    if not exists (select from pg_roles where rolname = 'report_ro') then
      create role report_ro nologin;
      alter role report_ro set statement_timeout = '60s';
      alter role report_ro set default_transaction_read_only = on;
      alter role report_ro set search_path = reporting;
    end if;
  end if;

  -- Databases of earlier versions belong to the superuser, and REASSIGN OWNED does not accept its objects.
  for change in
    with own_schemas as (
      select oid, nspname from pg_namespace
      where nspname not in ('information_schema', 'pg_catalog') and nspname not like 'pg\_%'
    ), dependent as (
      -- Members of an extension, and sequences that belong to a column.
      select classid, objid from pg_depend where deptype in ('e', 'a', 'i')
    )
    select format('alter schema %I owner to %I', nspname, owner) from own_schemas where nspname <> 'public'
    union all
    select format('alter %s %I.%I owner to %I',
        case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence'
          when 'f' then 'foreign table' else 'table' end,
        nspname, relname, owner)
      from pg_class join own_schemas on own_schemas.oid = relnamespace
      where relkind in ('r', 'p', 'v', 'm', 'S', 'f')
        and not exists (select from dependent where classid = 'pg_class'::regclass and objid = pg_class.oid)
    union all
    select format('alter routine %s owner to %I', pg_proc.oid::regprocedure, owner)
      from pg_proc join own_schemas on own_schemas.oid = pronamespace
      where not exists (select from dependent where classid = 'pg_proc'::regclass and objid = pg_proc.oid)
    union all
    select format('alter type %I.%I owner to %I', nspname, typname, owner)
      from pg_type join own_schemas on own_schemas.oid = typnamespace
      where (typtype in ('e', 'd') or (typtype = 'c' and exists (
          select from pg_class where pg_class.oid = typrelid and relkind = 'c')))
        and not exists (select from dependent where classid = 'pg_type'::regclass and objid = pg_type.oid)
  loop
    execute change;
  end loop;
end $$;
