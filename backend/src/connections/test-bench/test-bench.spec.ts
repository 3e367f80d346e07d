import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../../test/app.js';
import { type Sandbox, startSandbox } from '../../../test/connectors/sandbox-process.js';
import { startTcpProxy, type TcpProxy } from '../../../test/connectors/tcp-proxy.js';
import { startWarehouse, type Warehouse } from '../../../test/connectors/warehouse.js';
import {
  aConnectedApp,
  aConnection,
  anOrganization,
  aSource,
  type Connection,
  daysAgo,
  eventually,
  expectStatus,
  type Organization,
} from '../../../test/factories.js';
import { aMember } from '../../../test/teams.js';
import type { ConnectionTest, TestItem } from './test-bench.dto.js';

const BUDGET = 12;

let sandbox: Sandbox;
let warehouse: Warehouse;
let network: TcpProxy;
let app: TestApp;
/** With a budget of a few requests. */
let tight: TestApp;
let organization: Organization;
let connection: Connection;
let appId: string;

beforeAll(async () => {
  [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
  network = await startTcpProxy(warehouse.settings);
  app = await startTestApp(sandboxSettings(sandbox.url));
  tight = await startTestApp({ PROVIDER_CALLS_PER_DAY: String(BUDGET), ...sandboxSettings(sandbox.url) });
});
afterAll(async () => {
  await Promise.all([app?.stop(), tight?.stop()]);
  await network?.stop();
  await Promise.all([sandbox?.stop(), warehouse?.stop()]);
});
beforeEach(async () => {
  await sandbox.clearFaults();
  await prepare(app);
});

async function prepare(on: TestApp): Promise<void> {
  organization = await anOrganization(on);
  appId = await aConnectedApp(organization);
  const sourceId = await aSource(organization, { appId, accountIds: ['9001000011', '9001000012'] });
  const reached = { ...warehouse, settings: { ...warehouse.settings, port: network.port } };
  connection = await aConnection(organization, reached, { sourceId });
}

const request = (body: object = {}) => organization.call.post<ConnectionTest>(`${connection.path}/test-bench`, body);
const test = async (body: object = {}) => expectStatus(await request(body), 200).body;
async function answeredBySource(): Promise<number> {
  const answer = await fetch(`${sandbox.url}/admin/requests?provider=google-ads&limit=2000`);
  return ((await answer.json()) as { requests: object[] }).requests.length;
}
const itemOf = (items: TestItem[], code: string) => items.find((item) => item.code === code);

describe('the test bench', () => {
  it('is for editors and members of the organization only', async () => {
    const viewer = await aMember(app, organization, 'viewer');
    const outsider = await anOrganization(app);
    const path = `${connection.path}/test-bench`;
    expect(await viewer.call.post(path, {})).toMatchObject({ status: 403, body: { code: 'access.role_too_low' } });
    expect(await outsider.call.post(path, {})).toMatchObject({ status: 404 });
    const editor = await aMember(app, organization, 'editor');
    expectStatus(await editor.call.post(path, {}), 200);
  });

  it.each([
    ['a stream that the connection does not read', { stream: 'ad_daily' }, 422, 'connection.unknown_stream'],
    ['an account that the source does not read', { accountId: '9001000099' }, 422, 'source.unknown_account'],
    ['a day that does not exist', { day: '2026-02-30' }, 400, 'request.invalid'],
    ['a day in the future', { day: '2999-01-01' }, 400, 'request.invalid'],
    ['an unknown field', { days: 3 }, 400, 'request.invalid'],
  ])('rejects %s', async (_what, body, status, code) => {
    expect(await request(body)).toMatchObject({ status, body: { code } });
  });

  it('uses the first selected stream, the first open account and yesterday by default', async () => {
    const result = await test();
    expect(result).toMatchObject({ stream: 'campaign_daily', account: { externalId: '9001000011' }, day: daysAgo(1) });
    expect(result.sample?.rows.length).toBe(Math.min(20, result.sample?.rowCount ?? 0));
    expect(result.write?.target).toBe('public.google_ads_campaign_daily');
  });

  it('tests the requested stream, account and day of a paused connection, without excluded columns', async () => {
    const { version } = (await organization.call.get<{ version: number }>(connection.path)).body;
    const leftOut = [{ stream: 'ad_group_daily', columns: ['campaign_name'] }];
    expectStatus(await organization.call.patch(connection.path, { version, leftOut }), 200);
    expectStatus(await organization.call.post(`${connection.path}/pause`), 200);
    const body = { stream: 'ad_group_daily', accountId: '9001000012', day: daysAgo(3) };
    const result = await test(body);
    expect(result).toMatchObject({ stream: body.stream, account: { externalId: body.accountId }, day: body.day });
    expect(result.sample?.columns).not.toContain('campaign_name');
    expect(result.write?.steps.find(({ title }) => title === 'Create the table')?.text).not.toContain('campaign_name');
  });

  it('shows the exact requests with their bodies and the provider’s ids, and no secret', async () => {
    const { requests } = await test();
    const search = requests.find(({ url }) => url.endsWith('/customers/9001000011/googleAds:searchStream'));
    expect(search).toMatchObject({ method: 'POST', status: 200, providerRequestId: expect.any(String) });
    expect(JSON.parse(search?.body ?? '')).toMatchObject({ query: expect.stringContaining(`'${daysAgo(1)}'`) });
  });

  it('still checks the destination if the sign-in at the source has ended', async () => {
    await sandbox.addFault({ fault: 'revoke' });
    const result = await test();
    const failed = result.sourceItems.filter(({ state }) => state === 'failed');
    expect(failed).toMatchObject([{ class: 'auth', action: expect.any(String), detail: expect.any(String) }]);
    expect(result.sample).toBeNull();
    expect(itemOf(result.destinationItems, 'signs_in')).toMatchObject({ state: 'passed' });
    expect(itemOf(result.destinationItems, 'previews')).toMatchObject({ state: 'skipped' });
  });

  it('still reads the source if the destination is unreachable', async () => {
    network.close();
    try {
      const result = await test();
      expect(result.sample?.rowCount).toBeGreaterThan(0);
      expect(result.destinationItems.filter(({ state }) => state === 'failed')).toMatchObject([
        { code: 'connects', class: 'destination', action: expect.any(String) },
      ]);
      expect(result.write).toBeNull();
    } finally {
      await network.open();
    }
  });

  it('shows no sample if its time ends before the rows are read, instead of a day without rows', async () => {
    const { requests } = await test();
    const before = await answeredBySource();
    const time = new AbortController();
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => (ms === 60_000 ? time.signal : timeout(ms)));
    network.cut();
    try {
      const swallowed = network.nextSwallowed();
      const testing = test();
      // The destination does not answer, and the source has listed its accounts.
      await swallowed;
      await eventually(answeredBySource, (count) => count >= before + requests.length - 1);
      time.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
      const { sourceItems, sample } = await testing;
      expect(itemOf(sourceItems, 'reads')?.state).not.toBe('passed');
      expect(sample).toBeNull();
    } finally {
      network.resume();
      vi.restoreAllMocks();
    }
  });

  it('reports a table that another program created as one item', async () => {
    await warehouse.query('create schema foreign_tables');
    await warehouse.query('create table foreign_tables.google_ads_campaign_daily (id int)');
    const { body: made } = expectStatus(await organization.call.get<{ destination: { id: string } }>(connection.path), 200);
    await app.database.query(`update destinations set settings = settings || '{"schema": "foreign_tables"}' where id = $1`, [
      made.destination.id,
    ]);
    const result = await test();
    expect(itemOf(result.destinationItems, 'previews')).toMatchObject({
      state: 'failed',
      class: 'schema',
      action: 'Choose another schema or table prefix',
    });
    expect(result.sample?.rowCount).toBeGreaterThan(0);
  });

  it('skips the items of the check that write', async () => {
    const { destinationItems } = await test();
    expect(destinationItems.filter(({ state }) => state === 'skipped').map(({ code }) => code)).toEqual([
      'creates_tables',
      'reads_back',
    ]);
  });

  it('counts its requests against the daily budget, and reports a used budget as one item', async () => {
    await prepare(tight);
    const used = async () =>
      (await organization.call.get<{ requestBudget: { used: number } }>(`${organization.path}/apps/${appId}`)).body.requestBudget
        .used;
    const { requests } = await test();
    expect(await used()).toBe(requests.length);
    let last = await test();
    while (last.sourceItems.every(({ state }) => state === 'passed')) last = await test();
    expect(last.sourceItems.filter(({ state }) => state === 'failed')).toMatchObject([
      { class: 'quota', action: 'Try again after midnight UTC' },
    ]);
    expect(await used()).toBe(BUDGET);
    expect(itemOf(last.destinationItems, 'signs_in')).toMatchObject({ state: 'passed' });
  });
});
