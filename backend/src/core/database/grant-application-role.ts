import pg from 'pg';

/**
 * Privileges of the application role: read and write rows, and call the job queue's functions. It owns no table, so it cannot
 * create, alter, drop or truncate one. Row level security of graphile-worker's tables allows only their owner, so the role needs
 * policies. The role's name is passed as the setting `tributary.application`, because a DO block has no parameters.
 */
const GRANTS = `
do $$
declare
  application text := current_setting('tributary.application');
  secured record;
begin
  execute format('grant connect on database %I to %I', current_database(), application);
  execute format('grant usage on schema public, graphile_worker to %I', application);
  execute format('grant select, insert, update, delete on all tables in schema public, graphile_worker to %I', application);
  execute format('grant usage, select on all sequences in schema public, graphile_worker to %I', application);
  execute format('grant execute on all functions in schema public, graphile_worker to %I', application);
  execute format('revoke insert, update, delete on graphile_worker.migrations from %I', application);
  if to_regclass('public._prisma_migrations') is not null then
    execute format('revoke insert, update, delete on public._prisma_migrations from %I', application);
  end if;
  execute format('alter default privileges in schema public grant select, insert, update, delete on tables to %I', application);
  execute format('alter default privileges in schema public grant usage, select on sequences to %I', application);
  for secured in
    select tables.relname as name from pg_class as tables
    where tables.relnamespace = 'graphile_worker'::regnamespace and tables.relrowsecurity
      and not exists (
        select from pg_policy as policies where policies.polrelid = tables.oid and policies.polname = application)
  loop
    execute format('create policy %I on graphile_worker.%I to %I using (true) with check (true)', application, secured.name,
      application);
  end loop;
end $$`;

/** Runs as the owner after every migration. Does nothing when the application role is the owner. */
export async function grantApplicationRole(ownerUrl: string, applicationUrl: string): Promise<void> {
  const application = roleOf(applicationUrl);
  if (application === roleOf(ownerUrl)) return;
  const owner = new pg.Client({ connectionString: ownerUrl, application_name: 'tributary-migrate' });
  await owner.connect();
  try {
    await owner.query('begin');
    await owner.query(`select set_config('tributary.application', $1, true)`, [application]);
    await owner.query(GRANTS);
    await owner.query('commit');
  } finally {
    await owner.end();
  }
}

const roleOf = (url: string): string => decodeURIComponent(new URL(url).username);
