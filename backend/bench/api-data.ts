import { randomUUID } from 'node:crypto';
import type pg from 'pg';

export interface Client {
  url: string;
  token: string;
}

/** An organization of the token's owner, created like by the web app. */
export async function createOrganization(client: Client, person: { uid: string; email: string }): Promise<string> {
  await call(client, '/api/getOrSaveUser', { uid: person.uid, email: person.email, fullName: 'Owner' });
  const { organizationId } = await call(client, '/api/createOrganization', { companyName: 'Northwind' });
  return String(organizationId);
}

export async function createApps(client: Client, organizationId: string, count: number): Promise<void> {
  for (let index = 0; index < count; index++)
    await call(client, `/api/v1/organizations/${organizationId}/apps`, { provider: 'google_ads' });
}

async function call(client: Client, path: string, body: unknown): Promise<Record<string, unknown>> {
  const answer = await fetch(client.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${client.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Record<string, unknown>;
}

const DAYS = 60;
const ACCOUNTS = ['9001000011', '9001000012'];

/** Connections with three ended runs each and two months of covered days. */
export async function createConnections(
  database: pg.ClientBase,
  organizationId: string,
  uid: string,
  count: number,
): Promise<void> {
  await createSettings(database, organizationId, uid, count);
  await createRuns(database, organizationId);
  await createDays(database, organizationId);
}

/** Connections that have never run. */
export async function createSettings(database: pg.ClientBase, organizationId: string, uid: string, count: number): Promise<void> {
  const [googleId, warehouseId, sourceId, destinationId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const accounts = ACCOUNTS.map((externalId) => ({
    externalId,
    name: `Northwind ${externalId}`,
    currency: 'EUR',
    timeZone: 'Europe/Berlin',
    status: 'enabled',
    managerId: null,
  }));
  const settings = {
    host: 'db.example.com',
    port: 5432,
    database: 'warehouse',
    schema: 'ads',
    tablePrefix: '',
    user: 'loader',
    sslMode: 'require',
  };
  await database.query(
    `insert into apps (id, organization_id, provider, display_name, auth_mode, state, accounts, created_by, updated_at)
     values ($1, $3, 'google_ads', 'Google Ads', 'oauth2', 'connected', $4, $5, now()),
            ($2, $3, 'postgresql', 'Warehouse', 'password', 'connected', '[]', $5, now())`,
    [googleId, warehouseId, organizationId, JSON.stringify(accounts), uid],
  );
  await database.query(
    `insert into sources (id, organization_id, app_id, name, account_ids, created_by, updated_at) values ($1, $2, $3, 'Search', $4, $5, now())`,
    [sourceId, organizationId, googleId, ACCOUNTS, uid],
  );
  await database.query(
    `insert into destinations (id, organization_id, app_id, name, settings, created_by, updated_at) values ($1, $2, $3, 'Warehouse', $4, $5, now())`,
    [destinationId, organizationId, warehouseId, settings, uid],
  );
  await database.query(
    `insert into connections (id, organization_id, source_id, destination_id, name, streams, schedule, history_from, created_by, updated_at)
     select gen_random_uuid(), $1, $2, $3, 'Connection ' || number, '{campaign_daily,ad_group_daily}', '{"kind":"manual","timeZone":"UTC"}',
            current_date - ${DAYS}, $4, now() from generate_series(1, $5::int) number`,
    [organizationId, sourceId, destinationId, uid, count],
  );
}

/** Three ended runs of each connection. */
export async function createRuns(database: pg.ClientBase, organizationId: string): Promise<void> {
  await database.query(
    `insert into runs (id, organization_id, connection_id, kind, trigger, state, rows_read, rows_written, api_calls, queued_at, started_at, ended_at)
     select gen_random_uuid(), c.organization_id, c.id, 'scheduled', 'schedule', 'succeeded', 1000, 1000, 4, at, at, at + interval '1 minute'
       from connections c, generate_series(now() - interval '3 days', now() - interval '1 day', interval '1 day') at
      where c.organization_id = $1`,
    [organizationId],
  );
}

async function createDays(database: pg.ClientBase, organizationId: string): Promise<void> {
  await database.query(
    `insert into coverage (organization_id, connection_id, stream, account_id, day, state, rows)
     select c.organization_id, c.id, stream, account_id, day::date, 'final', 100
       from connections c, unnest(c.streams) stream, unnest($2::text[]) account_id,
            generate_series(current_date - ${DAYS}, current_date - 1, interval '1 day') day
      where c.organization_id = $1`,
    [organizationId, ACCOUNTS],
  );
  await database.query('analyze');
}
