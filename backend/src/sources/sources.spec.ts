import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../test/app.js';
import { type Sandbox, startSandbox } from '../../test/connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../test/connectors/warehouse.js';
import { aConnectedApp, aConnection, anOrganization, aSource, expectStatus, type Organization } from '../../test/factories.js';
import type { ConnectionEntry } from '../connections/connections.dto.js';
import type { SourceEntry, SourcePage, SourceWindows } from './sources.dto.js';

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;
let organization: Organization;

beforeAll(async () => {
  [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
  app = await startTestApp(sandboxSettings(sandbox.url));
});
afterAll(async () => {
  await app?.stop();
  await Promise.all([sandbox?.stop(), warehouse?.stop()]);
});
beforeEach(async () => {
  organization = await anOrganization(app);
});

const sourcesPath = () => `${organization.path}/sources`;
const read = async (id: string) => (await organization.call.get<SourceEntry>(`${sourcesPath()}/${id}`)).body;
const change = async (id: string, body: object) =>
  organization.call.patch<SourceEntry>(`${sourcesPath()}/${id}`, { version: (await read(id)).version, ...body });

async function aSourceOf(settings: object): Promise<SourceEntry> {
  const appId = await aConnectedApp(organization);
  const body = { appId, name: 'Search', accountIds: ['9001000011'], settings };
  return expectStatus(await organization.call.post<SourceEntry>(sourcesPath(), body), 201).body;
}

/** A connection that reads these streams. No worker runs here, so its first run stays queued. */
async function aReader(sourceId: string, streams: string[]): Promise<string> {
  return (await aConnection(organization, warehouse, { sourceId, streams })).path;
}

describe('a source', () => {
  it.each<[string, object, object]>([
    ['an account the app does not reach', { accountIds: ['1'] }, { status: 422, body: { code: 'source.unknown_account' } }],
    ['no account', { accountIds: [] }, { status: 400, body: { code: 'request.invalid' } }],
    ['a breakdown the platform does not have', { settings: { breakdowns: ['weather'] } }, { status: 400 }],
    ['an option the platform does not have', { settings: { options: { windows: ['7d_click'] } } }, { status: 400 }],
    ['a level that does not exist', { settings: { level: 'planet' } }, { status: 400 }],
  ])('is not created or changed with %s', async (_, body, refusal) => {
    const appId = await aConnectedApp(organization);
    const whole = { appId, name: 'Search', accountIds: ['9001000011'], ...body };
    expect(await organization.call.post(sourcesPath(), whole)).toMatchObject(refusal);
    const { version: _version, ...before } = await read(await aSource(organization, { appId }));
    expect(await change(before.id, body)).toMatchObject(refusal);
    expect(await read(before.id)).toMatchObject(before);
  });

  it('requires a connected app', async () => {
    const { body: draft } = await organization.call.post<{ id: string }>(`${organization.path}/apps`, { provider: 'google_ads' });
    const appId = draft.id;
    expect(await organization.call.post(sourcesPath(), { appId, name: 'Search', accountIds: ['1'] })).toMatchObject({
      status: 422,
      body: { code: 'app.not_connected', action: 'Connect the app first' },
    });
  });

  it('provides the streams down to its level', async () => {
    const { id, streams } = await aSourceOf({ level: 'campaign', breakdowns: [] });
    expect(streams).toContain('campaign_daily');
    expect(streams).not.toContain('ad_group_daily');
    const { body } = expectStatus(await change(id, { settings: { level: 'ad_group', breakdowns: [] } }), 200);
    expect(body.streams).toEqual(expect.arrayContaining(['campaign_daily', 'ad_group_daily']));
    expect(body.streams).not.toContain('keyword_daily');
  });

  it('provides a stream with a breakdown only if the breakdown is selected', async () => {
    const { id, streams } = await aSourceOf({ level: 'keyword', breakdowns: ['search_term'] });
    expect(streams).toContain('search_term_daily');
    expect(streams).not.toContain('geo_daily');
    const { body } = expectStatus(await change(id, { settings: { level: 'keyword', breakdowns: [] } }), 200);
    expect(body.streams).not.toContain('search_term_daily');
  });

  it('keeps its settings when only its name changes', async () => {
    const { id, settings, streams } = await aSourceOf({ level: 'ad_group', breakdowns: [], lookbackDays: 12 });
    const { body } = expectStatus(await change(id, { name: 'Renamed' }), 200);
    expect(body).toMatchObject({ name: 'Renamed', settings, streams });
  });

  it('rejects a change based on an older version', async () => {
    const id = await aSource(organization);
    const { version } = await read(id);
    expectStatus(await change(id, { name: 'First' }), 200);
    expect(await organization.call.patch(`${sourcesPath()}/${id}`, { version, name: 'Second' })).toMatchObject({
      status: 409,
      body: { code: 'conflict.version', action: 'Reload and try again' },
    });
    expect((await read(id)).name).toBe('First');
  });

  it('returns the first and last day with loaded rows; empty days do not count', async () => {
    const id = await aSource(organization);
    expect(await read(id)).toMatchObject({ earliestDataAt: null, latestDataAt: null });
    for (const rows of [7, 4]) {
      const connectionId = (await aReader(id, ['campaign_daily'])).split('/').at(-1);
      await app.database.query(
        `insert into coverage (organization_id, connection_id, stream, account_id, day, state, rows)
         select $1, $2, 'campaign_daily', '9001000011', date '2026-01-01' + n, 'final', case when n between 2 and $3 then 1 else 0 end
           from generate_series(0, 9) n`,
        [organization.id, connectionId, rows],
      );
    }
    expect(await read(id)).toMatchObject({ earliestDataAt: '2026-01-03', latestDataAt: '2026-01-08' });
  });

  it('returns the first day its platform has data for, and rejects connections that begin earlier', async () => {
    const id = await aSource(organization);
    const { earliestAvailable } = await read(id);
    const now = new Date();
    const months = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 37, now.getUTCDate());
    expect(Date.parse(earliestAvailable ?? '') - months).toBe(86_400_000);
    const path = await aReader(id, ['campaign_daily']);
    const { version, historyFrom } = (await organization.call.get<ConnectionEntry>(path)).body;
    const older = new Date(months).toISOString().slice(0, 10);
    expect(await organization.call.patch(path, { version, historyFrom: older })).toMatchObject({
      status: 422,
      body: {
        code: 'connection.history_gone',
        detail: `Google Ads no longer has daily data of ${older}. Its first day is ${earliestAvailable}.`,
        action: `Choose ${earliestAvailable} or a later day`,
      },
    });
    expect((await organization.call.get<ConnectionEntry>(path)).body.historyFrom).toBe(historyFrom);
    expectStatus(await organization.call.patch(path, { version, historyFrom: earliestAvailable }), 200);
  });

  it('returns the lookback windows of its accounts, as reported by the platform', async () => {
    const id = await aSource(organization);
    const { body } = await organization.call.get<SourceWindows>(`${sourcesPath()}/${id}/windows?refresh=true`);
    const learnedAt = expect.any(String);
    expect(body).toEqual({ items: [{ accountId: '9001000011', lookbackDays: expect.any(Number), learnedAt }], failure: null });
  });
});

describe('a source that connections read', () => {
  it.each([
    ['a coarser level', 'ad_group_daily', { level: 'campaign', breakdowns: [] }],
    ['one breakdown less', 'search_term_daily', { level: 'keyword', breakdowns: [] }],
  ])('rejects %s with their names and one action', async (_, stream, settings) => {
    const id = await aSource(organization);
    await aReader(id, ['campaign_daily', stream]);
    const before = await read(id);
    expect(await change(id, { settings })).toMatchObject({
      status: 409,
      body: {
        code: 'source.streams_in_use',
        detail: `After this change, Search would no longer provide streams that these connections read: Search to warehouse (${stream}).`,
        action: 'Remove the streams from these connections first',
      },
    });
    expect(await read(id)).toEqual(before);
  });

  it('can lose streams that none of them reads', async () => {
    const id = await aSource(organization);
    const path = await aReader(id, ['campaign_daily', 'ad_group_daily']);
    expectStatus(await change(id, { settings: { level: 'ad_group', breakdowns: [] } }), 200);
    const { version } = (await organization.call.get<ConnectionEntry>(path)).body;
    expectStatus(await organization.call.patch(path, { version, streams: ['campaign_daily'] }), 200);
    expectStatus(await change(id, { settings: { level: 'campaign', breakdowns: [] } }), 200);
  });

  it('can be deleted and changed once they are deleted', async () => {
    const id = await aSource(organization);
    const path = await aReader(id, ['ad_group_daily']);
    expect(await organization.call.delete(`${sourcesPath()}/${id}`)).toMatchObject({
      status: 409,
      body: { code: 'source.in_use', action: 'Delete these connections first' },
    });
    expectStatus(await organization.call.delete(path), 204);
    expectStatus(await change(id, { settings: { level: 'campaign', breakdowns: [] } }), 200);
    expectStatus(await organization.call.delete(`${sourcesPath()}/${id}`), 204);
    expect((await organization.call.get<SourcePage>(sourcesPath())).body.items).toEqual([]);
  });
});
