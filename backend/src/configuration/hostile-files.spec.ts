import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../test/app.js';
import { apply, exportOf, importInto, itemOf, linesOf, planOf } from '../../test/configuration/scenario.js';
import { type Sandbox, startSandbox } from '../../test/connectors/sandbox-process.js';
import { aConnectedApp, aDraftApp, anOrganization, aSource, expectStatus, type Organization } from '../../test/factories.js';
import { aMember } from '../../test/teams.js';
import type { ConfigurationFile } from './file/configuration-file.dto.js';

let sandbox: Sandbox;
let app: TestApp;
let organization: Organization;

beforeAll(async () => {
  sandbox = await startSandbox();
  app = await startTestApp(sandboxSettings(sandbox.url));
});
afterAll(async () => {
  await app?.stop();
  await sandbox?.stop();
});
beforeEach(async () => {
  organization = await anOrganization(app);
});

const empty = (): Record<string, unknown> => ({
  ...{ format: 'tributary.configuration', version: 1, apps: [], sources: [], destinations: [], connections: [] },
  ...{ conversions: [], payments: [], webhooks: [], notificationRules: [] },
});
const google = {
  ...{ key: 'google', provider: 'google_ads', name: 'Google Ads', authMode: 'oauth2', roles: ['source'] },
  ...{ accounts: [], sourceDefaults: null, push: null },
};
const database = {
  ...google,
  key: 'db',
  provider: 'postgresql',
  name: 'loader at db',
  authMode: 'password',
  roles: ['destination'],
};
const search = { key: 'search', name: 'Search', app: 'google', accountIds: ['9001000011'], settings: {} };
const server = { host: '127.0.0.1', port: 5432, database: 'd', schema: 's', user: 'loader', sslMode: 'require', tablePrefix: '' };
const warehouse = { key: 'dwh', name: 'Warehouse', app: 'db', settings: server };
const connection = {
  ...{ name: 'Search to warehouse', source: 'search', destination: 'dwh', streams: ['campaign_daily'], leftOut: [] },
  ...{ hashedFields: [], schedule: { kind: 'manual', timeZone: 'UTC' }, lookbackDays: null, historyFrom: '2026-10-01' },
  ...{ schemaPolicy: 'approve', emptyPolicy: 'expect_rows', tags: [], desired: 'active' },
};
const whole = (changes: object = {}) => ({
  ...{ ...empty(), apps: [google, database], sources: [search], destinations: [warehouse], connections: [connection] },
  ...changes,
});
const moved = whole({ destinations: [{ ...warehouse, settings: { ...server, host: 'evil.example.com' } }] });
/** Imports the whole file, as if the password of its destination had then been entered. */
async function importWithPassword(): Promise<void> {
  await importInto(organization, whole());
  await app.database.query(
    `update apps set state = 'connected', credential_target = $2, credentials = 'sealed' where organization_id = $1 and provider = 'postgresql'`,
    [organization.id, JSON.stringify({ host: '127.0.0.1', port: 5432, database: 'd', user: 'loader', sslMode: 'require' })],
  );
}
/** Copies one row of a table that meets a condition. */
const copy = (table: string, copies: number, condition: string, changes: object = {}) =>
  app.database.query(
    `insert into ${table}
     select copied.* from ${table} o, generate_series(1, ${copies}) n,
            jsonb_populate_record(o, $2::jsonb || jsonb_build_object('id', md5(o.id::text || n)::uuid)) copied
      where o.id = (select id from ${table} where organization_id = $1 and ${condition} limit 1)`,
    [organization.id, JSON.stringify(changes)],
  );
const plan = (file: object) => organization.call.post(`${organization.path}/configuration/plan`, file);

describe('a file', () => {
  it.each<[string, object, string]>([
    ['of another program', { ...empty(), format: 'other' }, 'format'],
    ['of a later version', { ...empty(), version: 2 }, 'version'],
    ['with an unknown list', { ...empty(), members: [] }, 'members'],
    ['with credentials', whole({ apps: [{ ...google, credentials: { password: 'x' } }] }), 'apps.0.credentials'],
    ['with the id of an app', whole({ sources: [{ ...search, appId: randomUUID() }] }), 'sources.0.appId'],
    ['with a repeated key', whole({ apps: [google, google] }), 'apps.1.key'],
    ['with an invalid time zone', whole({ connections: [{ ...connection, schedule: { kind: 'manual', timeZone: 'Mars' } }] }), 'connections.0.schedule.timeZone'],
    ['with a day that is none', whole({ connections: [{ ...connection, historyFrom: '2026-02-31' }] }), 'connections.0.historyFrom'],
    ['with more days than a file may have', whole({ connections: [{ ...connection, cursors: cursorsOf(Array.from({ length: 500 }, (_, n) => `${n}`), '2001-01-01/2026-01-01') }] }), 'connections.0.cursors'],
  ])('%s is rejected with the field', async (_what, file, field) => {
    expect(expectStatus(await plan(file), 400).body).toMatchObject({ errors: [expect.objectContaining({ field })] });
  }); // prettier-ignore

  it('of more than two megabytes is rejected', async () => {
    const file = whole({ notIncluded: Array.from({ length: 10 }, () => 'x'.repeat(250_000)) });
    expect(expectStatus(await plan(file), 413).body).toMatchObject({ code: 'request.too_large' });
  });

  it.each<[string, object, string, string]>([
    ['an app that is missing', { apps: [database] }, 'not_importable source Search', 'Its app is not imported'],
    ['settings that the connector does not have', { destinations: [{ ...warehouse, settings: { ...server, password: 'x' } }] }, 'not_importable destination Warehouse', 'settings: Unrecognized key: "password"'],
    ['a stream that the source does not have', { connections: [{ ...connection, streams: ['members'] }] }, 'not_importable connection Search to warehouse', 'The source has no stream members'],
    ['a column that cannot be excluded', { connections: [{ ...connection, leftOut: [{ stream: 'campaign_daily', columns: ['date'] }] }] }, 'not_importable connection Search to warehouse', 'date of campaign_daily identifies rows.'],
    ['a local address', { webhooks: [{ key: 'w', name: 'Hook', url: 'https://169.254.169.254/x', isEnabled: true }] }, 'not_importable webhook Hook', expect.stringContaining('169.254.169.254') as string],
    ['an unencrypted address', { webhooks: [{ key: 'w', name: 'Hook', url: 'http://127.0.0.1/x', isEnabled: true }] }, 'not_importable webhook Hook', 'url must be an https address'],
    ['credentials of another kind', { apps: [{ ...google, authMode: 'password' }] }, 'not_importable app Google Ads', 'Google Ads has no credentials of the kind password'],
  ])('with %s says so, and the entry is skipped', async (_what, changes, line, reason) => {
    const file = whole(changes);
    const planned = await planOf(organization, file);
    expect(linesOf(planned)).toContain(line);
    const [, kind = 'app'] = line.split(' ');
    expect(itemOf(planned, kind as 'app')).toMatchObject({ reason });
    expect(linesOf(await importInto(organization, file))).toContain(line);
  }); // prettier-ignore

  it('of an organization refers to its own items only: keys with ids of others are just names', async () => {
    const outsider = await anOrganization(app);
    const foreign = await aDraftApp(outsider);
    const file = whole({ apps: [{ ...google, key: foreign }], sources: [{ ...search, app: foreign }], connections: [] });
    await importInto(organization, file);
    const [source] = await app.database.query<{ appId: string }>('select app_id as "appId" from sources where organization_id = $1', [organization.id]); // prettier-ignore
    expect(source?.appId).not.toBe(foreign);
  });

  it('cannot mark days as loaded outside of the connection: other accounts, streams, and days before the history or ahead', async () => {
    const cursors = {
      loaded: [
        ...cursorsOf(['9001000011', '666'], '2000-01-01/2026-10-03').loaded,
        ...cursorsOf(['9001000011'], '2099-01-01/2099-01-05').loaded,
        { stream: 'ad_daily', accountIds: ['9001000011'], days: ['2026-10-01/2026-10-03'] },
      ],
      places: [],
    };
    await importInto(organization, whole({ connections: [{ ...connection, cursors }] }));
    const rows = await app.database.query('select stream, account_id, day::text from coverage where organization_id = $1 order by day', [organization.id]); // prettier-ignore
    expect(rows).toEqual(
      ['2026-10-01', '2026-10-02', '2026-10-03'].map((day) => ({ stream: 'campaign_daily', account_id: '9001000011', day })),
    );
  });

  it('cannot give a source accounts that its connected app does not have', async () => {
    const appId = await aConnectedApp(organization);
    await aSource(organization, { appId });
    const file = whole({
      apps: [google],
      sources: [{ ...search, accountIds: ['1234567890'] }],
      destinations: [],
      connections: [],
    });
    const planned = await planOf(organization, file);
    expect(itemOf(planned, 'source')).toMatchObject({
      ...{ action: 'conflict', reason: 'Google Ads has no access to 1234567890' },
    });
  });

  it('cannot create a rule that never sends anything', async () => {
    const rule = {
      channel: 'mail',
      events: ['freshness.late'],
      includesRecovery: true,
      roles: ['owner'],
      webhook: null,
      isEnabled: true,
    };
    const planned = await planOf(organization, { ...empty(), notificationRules: [rule] });
    expect(itemOf(planned, 'notification_rule')).toMatchObject({
      action: 'not_importable',
      reason: expect.stringContaining('Events of freshness are for webhook and slack only'),
    });
  });

  it('that moves a destination to another server does not take its password along', async () => {
    await importWithPassword();
    expect(itemOf(await planOf(organization, moved), 'destination')).toMatchObject({
      ...{ action: 'change', changes: ['host: from 127.0.0.1 to evil.example.com'] },
      needs: 'Enter the credentials again, because the server differs',
    });
    await importInto(organization, moved);
    const { body } = await organization.call.get<{ items: { id: string; state: string }[] }>(`${organization.path}/destinations`);
    expect(body.items[0]?.state).toBe('needs_reauth');
    const check = await organization.call.post(`${organization.path}/destinations/${body.items[0]?.id}/check`);
    expect(expectStatus(check, 422).body).toMatchObject({ code: 'destination.credentials_required' });
  });

  it('uses the stored app of a destination, also after it was renamed', async () => {
    await importWithPassword();
    await app.database.query(`update apps set display_name = 'Loader' where organization_id = $1 and provider = 'postgresql'`, [
      organization.id,
    ]);
    const second = { ...connection, name: 'Second', streams: ['ad_daily'] };
    const planned = await planOf(organization, whole({ connections: [connection, second] }));
    expect(itemOf(planned, 'connection', 'Second').changes).toEqual([
      'Stays paused until Google Ads is connected',
      expect.stringMatching(/^Loads all days from [A-Z][a-z]{2} \d{1,2}, \d{4}$/),
    ]);
    expect(itemOf(await importInto(organization, moved), 'destination')).toMatchObject({
      ...{ action: 'change', needs: 'Enter the credentials again, because the server differs' },
    });
    const { body } = await organization.call.get<{ items: { state: string }[] }>(`${organization.path}/destinations`);
    expect(body.items).toMatchObject([{ state: 'needs_reauth' }]);
  });

  it('that takes a stream in use from a source changes neither the source nor its connections', async () => {
    const withSettings = (breakdown: string, streams: string[]) =>
      whole({
        sources: [{ ...search, settings: { level: 'campaign', breakdowns: [breakdown] } }],
        connections: [{ ...connection, streams: ['campaign_daily', ...streams] }],
      });
    await importInto(organization, withSettings('country', ['geographic_daily']));
    const changed = await planOf(organization, withSettings('conversion_action', ['conversion_action_daily']));
    expect(itemOf(changed, 'source')).toMatchObject({
      ...{ action: 'conflict', reason: 'Search to warehouse reads streams that the source would no longer provide' },
    });
    expect(itemOf(changed, 'connection')).toMatchObject({
      ...{ action: 'conflict', reason: 'The source has no stream conversion_action_daily' },
    });
    const kept = await planOf(organization, withSettings('conversion_action', ['geographic_daily']));
    expect(linesOf(kept)).toContain('unchanged connection Search to warehouse');
  });

  it('creates no more webhooks and rules than an organization can have, with those that a file does not contain', async () => {
    const post = async (part: string, body: object) =>
      expectStatus(await organization.call.post(`${organization.path}/${part}`, body), 201);
    await post('webhook-endpoints', { kind: 'slack', name: 'Chat', url: 'https://127.0.0.1/services/1' });
    await copy('webhook_endpoints', 18, "kind = 'slack'");
    const hook = (n: number) => ({ key: `${n}`, name: `Hook ${n}`, url: `https://127.0.0.1/${n}`, isEnabled: true });
    const ruleOf = (webhook: string) => ({
      ...{ channel: 'webhook', events: ['connection.failing'], includesRecovery: true, roles: [], webhook, isEnabled: true },
    });
    const [{ rules = 0 } = {}] = await app.database.query<{ rules: number }>(
      'select count(*)::int as rules from notification_rules where organization_id = $1',
      [organization.id],
    );
    await copy('notification_rules', 1, "channel = 'mail'", { roles: [], member_ids: ['someone'] });
    await copy('notification_rules', 48 - rules, "channel = 'slack'");
    const planned = await planOf(organization, {
      ...{ ...empty(), webhooks: [hook(1), hook(2)], notificationRules: [ruleOf('1'), ruleOf('1')] },
    });
    expect(itemOf(planned, 'webhook', 'Hook 1').action).toBe('create');
    expect(itemOf(planned, 'webhook', 'Hook 2')).toMatchObject({
      ...{ action: 'not_importable', reason: 'An organization can have at most 20 webhooks' },
    });
    expect(planned.items.filter(({ kind }) => kind === 'notification_rule')).toMatchObject([
      { action: 'create' },
      { action: 'not_importable', reason: 'An organization can have at most 50 notification rules' },
    ]);
  });

  it('with two connections that would empty each other’s cells imports the first one', async () => {
    const second = { ...connection, name: 'Second', leftOut: [{ stream: 'campaign_daily', columns: ['campaign_name'] }] };
    const planned = await planOf(organization, whole({ connections: [connection, second] }));
    expect(itemOf(planned, 'connection', 'Second')).toMatchObject({
      ...{ action: 'not_importable', reason: 'Search to warehouse writes the same rows with other fields (campaign_daily)' },
    });
  });

  it('as large as the limits allow is planned within seconds of processor time, so that other requests get their response', async () => {
    const accountsOf = (source: number) =>
      Array.from({ length: 500 }, (_, account) => `${9_000_000_000 + 500 * source + account}`);
    const leftOut = [{ stream: 'campaign_daily', columns: ['campaign_status'] }];
    const sources = Array.from({ length: 50 }, (_, n) => ({
      ...search,
      key: `${n}`,
      name: `Source ${n}`,
      accountIds: accountsOf(n),
    }));
    const connections = Array.from({ length: 1_000 }, (_, n) => ({
      ...{ ...connection, name: `Connection ${n}`, source: `${n % 50}`, leftOut: n % 2 === 0 ? [] : leftOut },
    }));
    const start = process.threadCpuUsage();
    const { counts } = await planOf(organization, whole({ sources, connections }));
    const used = process.threadCpuUsage(start);
    expect(counts).toMatchObject({ create: 2 + 50 + 1 + 1_000 });
    expect((used.user + used.system) / 1_000_000).toBeLessThan(10);
    const shared = {
      ...search,
      key: 'shared',
      name: 'Shared',
      accountIds: [...accountsOf(60).slice(1), ...accountsOf(7).slice(0, 1)],
    };
    const other = { ...connection, name: 'Other fields', source: 'shared' };
    const overlapping = whole({ sources: [...sources, shared], connections: [...connections.slice(0, 999), other] });
    expect(itemOf(await planOf(organization, overlapping), 'connection', 'Other fields')).toMatchObject({
      ...{ action: 'not_importable', reason: 'Connection 7 writes the same rows with other fields (campaign_daily)' },
    });
  });

  it('that is written by hand is unchanged when it is imported again', async () => {
    const fields = [{ stream: 'campaign_daily', columns: ['network', 'device'].toSorted().toReversed() }];
    const file = whole({ connections: [{ ...connection, hashedFields: [], leftOut: [{ ...fields[0], columns: ['channel_type', 'campaign_status'] }] }] });
    await importInto(organization, file);
    expect((await planOf(organization, file)).counts).toMatchObject({ create: 0, change: 0, unchanged: 5 });
  }); // prettier-ignore
});

function cursorsOf(accountIds: string[], range: string): NonNullable<ConfigurationFile['connections'][0]['cursors']> {
  return { loaded: [{ stream: 'campaign_daily', accountIds, days: [range] }], places: [] };
}

describe('an export', () => {
  /** An app with as many accounts as its sources read. */
  async function anAppWith(accounts: number): Promise<void> {
    const appId = await aConnectedApp(organization);
    const ids = Array.from({ length: accounts }, (_, n) => `${9_100_000_000 + n}`);
    await app.database.query(
      `update apps set accounts = (select jsonb_agg((accounts->0) || jsonb_build_object('externalId', id))
                                     from unnest($2::text[]) as given (id))
        where id = $1`,
      [appId, ids],
    );
    for (let from = 0; from < accounts; from += 400)
      await aSource(organization, { appId, accountIds: ids.slice(from, from + 400) });
  }

  it('of an app with more than 1,000 accounts can be imported, and is unchanged', async () => {
    await anAppWith(1_001);
    // The platform reports no currency.
    await app.database.query(`update apps set accounts = jsonb_set(accounts, '{0,currency}', '""') where organization_id = $1`, [
      organization.id,
    ]);
    const file = await exportOf(organization);
    expect(file.apps[0]?.accounts).toHaveLength(1_001);
    expect((await planOf(organization, file)).counts).toMatchObject({ create: 0, change: 0, conflict: 0, notImportable: 0 });
  });

  it('that an import would reject is rejected', async () => {
    await anAppWith(10_001);
    const { body } = expectStatus(await organization.call.get(`${organization.path}/configuration`), 409);
    expect(body).toMatchObject({ code: 'configuration.too_large' });
  });
});

describe('configuration', () => {
  it('is exported and imported by admins, also with an API key, and by nobody else', async () => {
    const editor = await aMember(app, organization, 'editor');
    expectStatus(await editor.call.get(`${organization.path}/configuration`), 403);
    expectStatus(await editor.call.post(`${organization.path}/configuration/plan`, empty()), 403);
    expectStatus(await apply({ ...organization, call: editor.call }, empty(), 'a'.repeat(64)), 403);
    const { body } = expectStatus(
      await organization.call.post<{ key: string }>(`${organization.path}/api-keys`, { name: 'Backup', role: 'admin' }),
      201,
    );
    const call = app.http.withHeaders({ authorization: `Bearer ${body.key}` });
    expectStatus(await call.get(`${organization.path}/configuration`), 200);
    expect(linesOf(await importInto({ ...organization, call }, whole()))).toHaveLength(5);
  });
});
