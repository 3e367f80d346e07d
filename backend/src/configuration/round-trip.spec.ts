import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alertsOf } from '../../test/alerts.js';
import { sandboxSettings, startTestApp, type TestApp } from '../../test/app.js';
import { aFullOrganization, apply, exportOf, importInto, itemOf, linesOf, planOf } from '../../test/configuration/scenario.js';
import { type Sandbox, startSandbox } from '../../test/connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../test/connectors/warehouse.js';
import { anOrganization, authorize, destinationBody, eventually, expectStatus, type Organization } from '../../test/factories.js';
import { Alerts } from '../alerts/index.js';
import { listDays } from '../connectors/kit/days.js';
import { TenantDatabase } from '../core/database/tenant-database.js';
import type { AuditPage } from '../audit/audit.dto.js';
import type { ConnectionEntry, ConnectionPage } from '../connections/connections.dto.js';
import type { ConfigurationFile } from './file/configuration-file.dto.js';

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;
let home: Organization;
let file: ConfigurationFile;

beforeAll(async () => {
  [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
  app = await startTestApp({ ROLE: 'all', ...sandboxSettings(sandbox.url) });
  home = await aFullOrganization(app, sandbox, warehouse);
  await eventually(
    async () => (await connectionOf(home)).lastRun?.state,
    (state) => state === 'succeeded',
  );
  file = await exportOf(home);
});
afterAll(async () => {
  await app?.stop();
  await Promise.all([sandbox?.stop(), warehouse?.stop()]);
});

const connectionOf = async ({ call, path }: Organization): Promise<ConnectionEntry> => {
  const [entry] = expectStatus(await call.get<ConnectionPage>(`${path}/connections`), 200).body.items;
  if (!entry) throw new Error('no connection');
  return entry;
};
const stored = async ({ id }: Organization) =>
  app.database.query(
    `select (select count(*)::int from apps where organization_id = $1) as apps,
            (select count(*)::int from connections where organization_id = $1) as connections,
            (select count(*)::int from notification_rules where organization_id = $1) as rules`,
    [id],
  );

describe('an export', () => {
  it('contains each kind, in a fixed order, and no secret', async () => {
    expect(file).toMatchObject({ format: 'tributary.configuration', version: 1 });
    expect(file.apps.map(({ key }) => key)).toEqual([
      'custom/Custom app',
      'google_ads/Google Ads',
      expect.stringMatching(/^postgresql\//),
      expect.stringMatching(/^stripe\//),
    ]);
    expect(file.connections).toEqual([
      expect.objectContaining({
        ...{ name: 'Search to warehouse', source: 'Search', destination: 'Warehouse', desired: 'active' },
        freshnessTarget: { atTime: '09:30', timeZone: 'Europe/Berlin', daysAfter: 1 },
        ...{ tags: ['brand', 'weekly report'], emptyPolicy: 'allow_empty', schemaPolicy: 'approve' },
        leftOut: [{ stream: 'campaign_daily', columns: ['campaign_status'] }],
        hashedFields: [{ stream: 'campaign_daily', columns: ['campaign_name'] }],
        schedule: { kind: 'interval', everyMinutes: 60, notBefore: '05:30', timeZone: 'Europe/Berlin' },
      }),
    ]);
    expect([file.conversions, file.payments, file.webhooks, file.notificationRules].map((list) => list.length)).toEqual([
      1, 1, 1, 4,
    ]);
    const text = JSON.stringify(file);
    // test/canary.spec.ts looks for every secret in every response.
    for (const secret of ['SLACKSECRET', 'whsec_', 'rk_test', home.id]) expect(text).not.toContain(secret);
    expect(JSON.stringify(await exportOf(home))).toBe(text);
  });

  it('contains settled days as ranges, and where they are', () => {
    const { loaded = [], places = [] } = file.connections[0]?.cursors ?? {};
    expect(loaded).toEqual([
      { stream: 'campaign_daily', accountIds: ['9001000011'], days: [expect.stringMatching(/^[\d-]+\/[\d-]+$/)] },
    ]);
    expect(places).toEqual([
      expect.objectContaining({ stream: 'campaign_daily', place: expect.stringContaining('campaign_daily') }),
    ]);
  });
});

describe('a plan', () => {
  it('for the same organization says that everything is unchanged', async () => {
    const plan = await planOf(home, file);
    expect(plan.counts).toMatchObject({ create: 0, change: 0, conflict: 0, notImportable: 0 });
    expect(plan.counts.unchanged).toBe(plan.items.length);
  });

  it('writes nothing and names what a user has to enter', async () => {
    const other = await anOrganization(app);
    const before = await stored(other);
    const plan = await planOf(other, file);
    expect(await stored(other)).toEqual(before);
    expect(itemOf(plan, 'app', 'Google Ads')).toMatchObject({ action: 'create', needs: 'Sign in at the app' });
    expect(itemOf(plan, 'connection').changes[0]).toMatch(/^Stays paused until Google Ads and .+ are connected$/);
    expect(itemOf(plan, 'connection').changes[1]).toMatch(
      /^\d{1,3}(,\d{3})* account-days count as loaded if the destination is the same$/,
    );
    expect(itemOf(plan, 'conversion').changes[1]).toMatch(/^Reads events from [A-Z][a-z]{2} \d{1,2}, \d{4}$/);
    expect(itemOf(plan, 'payment').changes[1]).toMatch(/^Loads all days from [A-Z][a-z]{2} \d{1,2}, \d{4}$/);
    expect(linesOf(plan)).toContain('unchanged notification_rule In the app');
  });

  it('shows the differences of a changed file', async () => {
    const [connection] = file.connections;
    const changed = { ...file, connections: [{ ...connection, tags: ['brand', 'summer'], lookbackDays: 3 }] };
    const { items, counts } = await planOf(home, changed);
    expect(counts.change).toBe(1);
    expect(items.find(({ action }) => action === 'change')?.changes).toEqual([
      'lookbackDays: from 7 to 3',
      'tags: added summer; removed weekly report',
    ]);
  });
});

describe('an import into another organization', () => {
  let other: Organization;

  it('creates everything once, and its export equals the file', async () => {
    other = await anOrganization(app);
    const { counts } = await importInto(other, file);
    expect(counts).toMatchObject({ conflict: 0, notImportable: 0 });
    expect(await exportOf(other)).toEqual(file);
    const again = await planOf(other, file);
    expect(again.counts).toMatchObject({ create: 0, change: 0, conflict: 0, notImportable: 0, unchanged: again.items.length });
    const before = await stored(other);
    await importInto(other, file);
    expect(await stored(other)).toEqual(before);
  });

  it('audits each created item', async () => {
    const { body } = await other.call.get<AuditPage>(`${other.path}/audit-events?limit=100`);
    const actions = body.items.map(({ action }) => action);
    expect(actions.filter((action) => action === 'configuration.imported')).toHaveLength(2);
    expect(actions).toEqual(
      expect.arrayContaining(['connection.created', 'app.created', 'payment.created', 'conversion.created']),
    );
  });

  it('stays paused until both apps are connected, and then loads no day that is loaded there', async () => {
    expect(await connectionOf(other)).toMatchObject({ desired: 'paused', pause: { reason: 'import' }, health: 'needs_reauth' });
    const { body: apps } = await other.call.get<{ items: { id: string; provider: string }[] }>(`${other.path}/apps`);
    const google = apps.items.find(({ provider }) => provider === 'google_ads');
    expectStatus(await authorize(other, google?.id ?? ''), 200);
    expect(await connectionOf(other)).toMatchObject({ desired: 'paused', pause: { reason: 'import' } });
    const { body: destinations } = await other.call.get<{ items: { id: string; version: number }[] }>(
      `${other.path}/destinations`,
    );
    const [destination] = destinations.items;
    const { credentials } = destinationBody(warehouse);
    const change = { credentials, version: destination?.version };
    expectStatus(await other.call.patch(`${other.path}/destinations/${destination?.id}`, change), 200);
    const entry = await eventually(
      () => connectionOf(other),
      ({ lastRun, activeRun }) => lastRun !== null && activeRun === null,
    );
    expect(entry).toMatchObject({ desired: 'active', pause: null, health: 'healthy', lastRun: { state: 'succeeded' } });
    const [loaded] = await app.database.query<{ days: number; kept: number }>(
      `select count(*) filter (where first_loaded_at is not null)::int as days, count(*) filter (where first_loaded_at is null)::int as kept
         from coverage where organization_id = $1 and connection_id = $2`,
      [other.id, entry.id],
    );
    const [range = ''] = file.connections[0]?.cursors?.loaded[0]?.days ?? [];
    const [from = '', to = ''] = range.split('/');
    expect(loaded?.kept).toBe(listDays(from, to).length);
    // The lookback window of 7 days and today; one more if a day has begun since the first run.
    expect([8, 9]).toContain(loaded?.days);
  });
});

it('an import that enables a webhook ends the alert that it was disabled', async () => {
  const other = await anOrganization(app);
  const webhooks = file.webhooks.map((webhook) => ({ ...webhook, isEnabled: true }));
  await importInto(other, { ...file, webhooks });
  const [endpoint] = await app.database.query<{ id: string }>(
    `update webhook_endpoints set is_enabled = false, disabled_reason = 'failures' where organization_id = $1 returning id`,
    [other.id],
  );
  const failure = { class: 'config', code: 'webhook.disabled', message: 'It failed.', action: 'Enable it again' };
  const alert = { kind: 'webhook.disabled', subjectId: endpoint?.id ?? '', failure } as const;
  await app.get(TenantDatabase).transaction(other.id, (query) => app.get(Alerts).open(query, other.id, alert));
  await importInto(other, { ...file, webhooks });
  expect((await alertsOf(other)).items.filter(({ kind }) => kind === 'webhook.disabled')).toMatchObject([{ state: 'recovered' }]);
});

describe('a stale plan', () => {
  it('is rejected if the organization or the file has changed since, and writes nothing', async () => {
    const other = await anOrganization(app);
    const { digest } = await planOf(other, file);
    const another = { ...file, webhooks: [] };
    expect(expectStatus(await apply(other, another, digest), 409).body).toMatchObject({ code: 'configuration.changed' });
    expectStatus(await other.call.post(`${other.path}/apps`, { provider: 'meta_ads' }), 201);
    const before = await stored(other);
    expect(expectStatus(await apply(other, file, digest), 409).body).toMatchObject({ code: 'configuration.changed' });
    expect(await stored(other)).toEqual(before);
  });

  it('applied twice at the same time is applied once', async () => {
    const other = await anOrganization(app);
    const { digest } = await planOf(other, file);
    const answers = await Promise.all([apply(other, file, digest), apply(other, file, digest)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await stored(other)).toEqual([{ apps: 4, connections: 2, rules: 4 }]);
  });
});

it('an import that changes the schedule of an active conversion reads its source now, and then by the new schedule', async () => {
  const [row] = await app.database.query<{ id: string }>('select id from conversions where organization_id = $1', [home.id]);
  const jobs = () =>
    app.database.query('select from graphile_worker.jobs where key = $1 and locked_at is null and run_at > now()', [
      `conversion:${row?.id}`,
    ]);
  expect(await jobs()).toEqual([]);
  const schedule = { kind: 'interval', everyMinutes: 60, timeZone: 'UTC' };
  await importInto(home, { ...file, conversions: file.conversions.map((conversion) => ({ ...conversion, schedule })) });
  await eventually(jobs, ({ length }) => length > 0, 20_000);
});
