import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from './app.js';
import { type Sandbox, startSandbox } from './connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from './connectors/warehouse.js';
import {
  aConnectedApp,
  aConnection,
  aDestination,
  anOrganization,
  aSource,
  daysAgo,
  expectStatus,
  type Organization,
} from './factories.js';
import { aMember, anInvitation } from './teams.js';

/** Every table that the changes below write, except the audit trail. */
const TABLES = [
  ...['organizations', 'members', 'invitations', 'api_keys', 'apps', 'app_events', 'app_share_links', 'sources', 'destinations'],
  ...['connections', 'runs', 'outbox_messages', 'alerts', 'destination_audits'],
];

let sandbox: Sandbox;
let warehouse: Warehouse;
let app: TestApp;
let organization: Organization;

beforeAll(async () => {
  [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
  app = await startTestApp(sandboxSettings(sandbox.url));
  await app.database.query(`create table failing_actions (action text)`);
  await app.database.query(`grant select on failing_actions to public`);
  await app.database.query(
    `create function fail_action() returns trigger language plpgsql as $$ begin
       if exists (select from failing_actions f where f.action = new.action) then raise exception 'the audit trail is full'; end if;
       return new;
     end $$`,
  );
  await app.database.query(`create trigger fail before insert on audit_events for each row execute function fail_action()`);
  await app.database.query(
    `create function fail_run() returns trigger language plpgsql as $$ begin
       if exists (select from failing_actions f where f.action = 'run') then raise exception 'no run can be queued'; end if;
       return new;
     end $$`,
  );
  await app.database.query(`create trigger fail before insert on runs for each row execute function fail_run()`);
});
afterAll(async () => {
  await app?.stop();
  await Promise.all([sandbox?.stop(), warehouse?.stop()]);
});
beforeEach(async () => {
  await app.database.query('delete from failing_actions');
  organization = await anOrganization(app);
});

async function stored(): Promise<Record<string, unknown>> {
  const tables = await Promise.all(
    TABLES.map(async (table) => {
      const owner = table === 'organizations' ? 'id' : 'organization_id';
      const rows = await app.database.query(`select * from ${table} t where ${owner} = $1 order by to_jsonb(t)::text`, [
        organization.id,
      ]);
      return [table, rows] as const;
    }),
  );
  return Object.fromEntries(tables);
}

type Change = () => Promise<{ status: number }>;

const call = () => organization.call;
const path = (suffix: string): string => `${organization.path}${suffix}`;
const versionOf = async (suffix: string) => (await call().get<{ version: number }>(path(suffix))).body.version;

const anIdleConnection = () => aConnection(organization, warehouse, { historyDays: 1, streams: ['campaign_daily'] });

/** Its first run has ended. */
async function aConnectionWithoutRun() {
  const connection = await anIdleConnection();
  await app.database.query(`update runs set state = 'cancelled', ended_at = now() where organization_id = $1`, [organization.id]);
  return connection;
}

const days = { from: daysAgo(1), to: daysAgo(1) };

/** Changes that start a run. */
const STARTS_RUN: Record<string, () => Promise<Change>> = {
  'connection.created': async () => {
    const sourceId = await aSource(organization);
    const destinationId = await aDestination(organization, warehouse);
    const body = { name: 'Search', sourceId, destinationId, streams: ['campaign_daily'], historyFrom: daysAgo(1) };
    return () => call().post(path('/connections'), { ...body, schedule: { kind: 'manual', timeZone: 'UTC' } });
  },
  'connection.run': async () => {
    const connection = await aConnectionWithoutRun();
    return () => call().post(`${connection.path}/run`);
  },
  'connection.reloaded': async () => {
    const connection = await aConnectionWithoutRun();
    return () => call().post(`${connection.path}/reload`, days);
  },
  'connection.resumed': async () => {
    const connection = await anIdleConnection();
    expectStatus(await call().post(`${connection.path}/pause`), 200);
    return () => call().post(`${connection.path}/resume`);
  },
  'connection.restored': async () => {
    const connection = await anIdleConnection();
    expectStatus(await call().delete(connection.path), 204);
    return () => call().post(`${connection.path}/restore`);
  },
  'connection.updated': async () => {
    const connection = await anIdleConnection();
    const hashedFields = [{ stream: 'campaign_daily', columns: ['campaign_name'] }];
    return () => call().patch(connection.path, { version: 1, hashedFields });
  },
};

/** What is there before the change, and the change. */
const CHANGES: Record<string, () => Promise<Change>> = {
  'organization.updated': async () => () => call().patch(path(''), { version: 1, name: 'Contoso', currency: 'EUR' }),
  'organization.deleted': async () => () => call().delete(path('?confirmName=Northwind')),
  'api_key.created': async () => () => call().post(path('/api-keys'), { name: 'Import', role: 'viewer' }),
  'member.removed': async () => {
    const { user } = await aMember(app, organization, 'viewer');
    return () => call().delete(path(`/members/${user.uid}`));
  },
  'invitation.sent': async () => () => call().post(path('/invitations'), { email: 'new@example.com', role: 'viewer' }),
  'invitation.revoked': async () => {
    const id = await anInvitation(organization, 'new@example.com');
    return () => call().post(path(`/invitations/${id}/revoke`));
  },
  'app.updated': async () => {
    const id = await aConnectedApp(organization);
    return async () => call().patch(path(`/apps/${id}`), { version: await versionOf(`/apps/${id}`), displayName: 'Other' });
  },
  'app.shared': async () => {
    const id = await aConnectedApp(organization);
    return () => call().post(path(`/apps/${id}/share-link`));
  },
  'app.share_taken_back': async () => {
    const id = await aConnectedApp(organization);
    expectStatus(await call().post(path(`/apps/${id}/share-link`)), 201);
    return () => call().delete(path(`/apps/${id}/share-link`));
  },
  'app.disconnected': async () => {
    const id = await aConnectedApp(organization);
    return () => call().post(path(`/apps/${id}/disconnect`));
  },
  'app.deleted': async () => {
    const id = await aConnectedApp(organization);
    return () => call().delete(path(`/apps/${id}`));
  },
  'source.created': async () => {
    const appId = await aConnectedApp(organization);
    return () => call().post(path('/sources'), { appId, name: 'Search', accountIds: ['9001000011'] });
  },
  'source.updated': async () => {
    const id = await aSource(organization);
    return () => call().patch(path(`/sources/${id}`), { version: 1, name: 'Other' });
  },
  'source.deleted': async () => {
    const id = await aSource(organization);
    return () => call().delete(path(`/sources/${id}`));
  },
  'destination.updated': async () => {
    const id = await aDestination(organization, warehouse);
    return () => call().patch(path(`/destinations/${id}`), { version: 1, name: 'Other' });
  },
  'destination.deleted': async () => {
    const id = await aDestination(organization, warehouse);
    return () => call().delete(path(`/destinations/${id}`));
  },
  'connection.paused': async () => {
    const connection = await anIdleConnection();
    return () => call().post(`${connection.path}/pause`);
  },
  'connection.deleted': async () => {
    const connection = await anIdleConnection();
    return () => call().delete(connection.path);
  },
  ...STARTS_RUN,
};

describe('a change is not stored when its audit entry cannot be stored:', () => {
  it.each(Object.entries(CHANGES))('%s', async (action, prepare) => {
    const change = await prepare();
    const before = await stored();
    await app.database.query('insert into failing_actions values ($1)', [action]);
    expect(await change()).toMatchObject({ status: 500 });
    expect(await stored()).toEqual(before);
    await app.database.query('delete from failing_actions');
    expect([200, 201, 202, 204]).toContain((await change()).status);
  });
});

/** Rows of the audit trail cannot be deleted, so their number shows whether one was added. */
const entries = () => app.database.query('select action from audit_events where organization_id = $1', [organization.id]);

describe('a change is not stored when its run cannot be queued:', () => {
  it.each(Object.entries(STARTS_RUN))('%s', async (_action, prepare) => {
    const change = await prepare();
    const before = { ...(await stored()), entries: await entries() };
    await app.database.query(`insert into failing_actions values ('run')`);
    expect(await change()).toMatchObject({ status: 500 });
    expect({ ...(await stored()), entries: await entries() }).toEqual(before);
    await app.database.query('delete from failing_actions');
    expect([200, 201, 202, 204]).toContain((await change()).status);
    const count = "select count(*)::int as queued from runs where organization_id = $1 and state = 'queued'";
    expect(await app.database.query(count, [organization.id])).toEqual([{ queued: 1 }]);
  });
});
