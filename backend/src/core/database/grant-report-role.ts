import pg from 'pg';

/** Reads the views of schema `reporting`, and nothing else. Without the role there are no reports, and nothing to grant. */
const GRANTS = `
do $$
begin
  if exists (select from pg_roles where rolname = 'report_ro') then
    execute format('grant connect on database %I to report_ro', current_database());
    grant usage on schema reporting to report_ro;
    grant select on all tables in schema reporting to report_ro;
  end if;
end $$`;

/** Runs as the owner after every migration. */
export async function grantReportRole(ownerUrl: string): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl, application_name: 'tributary-migrate' });
  await owner.connect();
  try {
    await owner.query(GRANTS);
  } finally {
    await owner.end();
  }
}
