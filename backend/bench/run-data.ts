import pg from 'pg';
import { createOrganization, type Client } from './api-data.ts';
import type { Login } from './engine.ts';

const STREAM = 'campaign_daily';
const ACCOUNT = '9001000011';
/** Short enough for one slice. */
const HISTORY_DAYS = 3;

export type Call = <Body = { id: string }>(method: 'GET' | 'POST', path: string, body?: unknown) => Promise<Body>;

/**
 * An organization with one connection, created through the API, and copies of that connection, each with its own table. A run of the first
 * one is queued.
 */
export async function createDueConnections(
  client: Client,
  person: { uid: string; email: string },
  database: pg.ClientBase,
  login: Login,
  { count, prefix, schema }: { count: number; prefix: string; schema?: string },
): Promise<string> {
  const organizationId = await createOrganization(client, person);
  const call = callerOf(client, `/api/v1/organizations/${organizationId}`);
  const sourceId = (await call('POST', '/sources', { appId: await connectGoogle(call), name: 'Search', accountIds: [ACCOUNT] }))
    .id;
  const destination = await destinationOf(call, login, `${prefix}0_`, schema);
  const connection = await call('POST', '/connections', {
    name: 'Ads to warehouse',
    sourceId,
    destinationId: destination.id,
    streams: [STREAM],
    schedule: { kind: 'interval', everyMinutes: 1_440, timeZone: 'UTC' },
    lookbackDays: HISTORY_DAYS,
    historyFrom: new Date(Date.now() - HISTORY_DAYS * 86_400_000).toISOString().slice(0, 10),
  });
  await copyConnection(database, { connectionId: connection.id, destinationId: destination.id, count: count - 1, prefix });
  return organizationId;
}

async function copyConnection(
  database: pg.ClientBase,
  { connectionId, destinationId, count, prefix }: { connectionId: string; destinationId: string; count: number; prefix: string },
): Promise<void> {
  await database.query(
    `with copies as (
       select number, gen_random_uuid() as copy_id from generate_series(1, $3::int) number),
     destinations as (
       insert into destinations (id, organization_id, app_id, name, settings, state, created_by, updated_at)
       select copy_id, d.organization_id, d.app_id, d.name || ' ' || number,
              d.settings || jsonb_build_object('tablePrefix', $4::text || number || '_'), d.state, d.created_by, now()
         from destinations d, copies where d.id = $2)
     insert into connections (id, organization_id, source_id, destination_id, name, streams, left_out, schedule, lookback_days,
                              history_from, created_by, updated_at)
     select gen_random_uuid(), c.organization_id, c.source_id, copy_id, c.name || ' ' || number, c.streams, c.left_out,
            c.schedule, c.lookback_days, c.history_from, c.created_by, now()
       from connections c, copies where c.id = $1`,
    [connectionId, destinationId, count, prefix],
  );
}

/** An app that is signed in to Google. */
export async function connectGoogle(call: Call): Promise<string> {
  const app = await call('POST', '/apps', { provider: 'google_ads' });
  const { authorizeUrl } = await call<{ authorizeUrl: string }>('POST', `/apps/${app.id}/oauth/start`);
  const scopes = (new URL(authorizeUrl).searchParams.get('scope') ?? '').split(' ');
  const form = new URLSearchParams([
    ['user', 'demo@example.com'],
    ['decision', 'allow'],
    ...scopes.map((scope): [string, string] => ['scope', scope]),
  ]);
  const answer = await fetch(authorizeUrl, { method: 'POST', body: form, redirect: 'manual' });
  const { searchParams } = new URL(answer.headers.get('location') ?? '');
  await call('POST', '/apps/oauth/complete', { state: searchParams.get('state'), code: searchParams.get('code') });
  return app.id;
}

export function destinationOf(
  call: Call,
  { password, ...place }: Login,
  tablePrefix: string,
  schema = 'public',
): Promise<{ id: string }> {
  return call('POST', '/destinations', {
    provider: 'postgresql',
    name: 'Warehouse',
    settings: { ...place, schema, sslMode: 'disable', tablePrefix },
    credentials: { password },
  });
}

export const callerOf =
  ({ url, token }: Client, root: string): Call =>
  async <Body>(method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(url + root + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Body;
  };
