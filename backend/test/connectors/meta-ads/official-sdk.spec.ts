import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Ad, AdAccount, AdReportRun, AdSet, AdsInsights, Campaign, FacebookAdsApi, User } from 'facebook-nodejs-business-sdk';
import type { Source } from '../../../src/connectors/kit/contract.js';
import { aContext, collect } from '../context.js';
import { accountsOf, startMetaSandbox, type MetaSandbox } from './meta-sandbox.js';

type Node = Record<string, unknown>;
type Cursor = Node[] & { hasNext(): boolean; next(): Promise<Cursor> };

/** The SDK's own client. The last argument of `call` replaces the address graph.facebook.com. */
class SandboxApi extends FacebookAdsApi {
  constructor(
    accessToken: string,
    private readonly graphUrl: string,
  ) {
    // Without the crash reporter, which would send data to Meta.
    super(accessToken, 'en_US', false);
  }

  override call<Answer>(
    method: string,
    path: string | string[],
    parameters?: Node,
    files?: Node,
    isMultipart?: boolean,
  ): Promise<Answer> {
    return super.call<Answer>(method, path, parameters, files, isMultipart, this.graphUrl);
  }
}

const accountId = '310000000000011';
const DAY_MS = 86_400_000;
/** The archived and the deleted campaign of the sandbox ended in the months before. */
const today = '2026-11-22';
const range = { since: '2026-07-20', until: '2026-07-26' };

let sandbox: MetaSandbox;
let source: Source;
let account: AdAccount;
let me: User;

beforeAll(async () => {
  sandbox = await startMetaSandbox();
  await sandbox.moveClock(Math.round((Date.parse(today) - Date.parse(new Date().toISOString().slice(0, 10))) / DAY_MS));
  const grant = await sandbox.signIn();
  source = sandbox.source(grant);
  const api = new SandboxApi(grant.accessToken, sandbox.settings.graphUrl);
  // Report runs that the SDK creates use only the default API.
  FacebookAdsApi.setDefaultApi(api);
  account = new AdAccount(`act_${accountId}`, {}, undefined, api);
  me = new User('me', {}, undefined, api);
});
afterEach(() => sandbox.clearFaults());
afterAll(() => sandbox.stop());

const fieldNames = (fields: object): string[] => Object.values(fields) as string[];
const insights = async (parameters: Node = {}, fields = ['campaign_id', 'impressions', 'spend']) =>
  (await account.getInsights(fields, { time_range: range, time_increment: 1, ...parameters })) as unknown as Cursor;
const accounts = async (parameters: Node = {}) =>
  (await me.getAdAccounts(['account_id', 'name', 'currency', 'timezone_name', 'account_status', 'business_name'], {
    ...parameters,
  })) as unknown as Cursor;
const data = (node: Node): Node => (node as { exportAllData(): Node }).exportAllData();

async function rowsOf(first: Cursor): Promise<{ rows: Node[]; pages: number }> {
  const rows = first.map(data);
  let pages = 1;
  for (let cursor = first; cursor.hasNext(); pages += 1) {
    cursor = await cursor.next();
    rows.push(...cursor.map(data));
  }
  return { rows, pages };
}

const impressionsOf = (rows: Node[]): number => rows.reduce((sum, row) => sum + Number(row['impressions']), 0);

describe("Meta's SDK reads", () => {
  it('the same accounts as the connector, page by page', async () => {
    const { rows, pages } = await rowsOf(await accounts({ limit: 1 }));
    const found = await source.listAccounts(aContext());
    expect(pages).toBe(found.length);
    expect(rows.map((row) => row['account_id']).sort()).toEqual(found.map(({ externalId }) => externalId).sort());
    expect(rows.find((row) => row['account_id'] === accountId)).toMatchObject({
      id: `act_${accountId}`,
      currency: 'EUR',
      timezone_name: 'Europe/Berlin',
    });
  });

  it('insights with its cursor, each row once', async () => {
    const filtering = [{ field: 'campaign.effective_status', operator: 'IN', value: fieldNames(Campaign.EffectiveStatus) }];
    const whole = await rowsOf(await insights({ level: 'campaign', filtering, limit: 500 }));
    const paged = await rowsOf(await insights({ level: 'campaign', filtering, limit: 7 }));
    expect(paged.pages).toBe(Math.ceil(whole.rows.length / 7));
    expect(paged.rows).toEqual(whole.rows);
    const rows = whole.rows.map((row) => `${String(row['campaign_id'])} ${String(row['date_start'])}`);
    expect(new Set(rows).size).toBe(rows.length);
  });

  it('a report run from start to rows', async () => {
    const asked = { level: 'campaign', time_range: range, time_increment: 1 };
    const { id } = await account.getInsightsAsync(['campaign_id', 'impressions', 'spend'], asked);
    const run = new AdReportRun(null, { report_run_id: id });
    const states: Node[] = [];
    const deadline = Date.now() + 120_000;
    while (states.at(-1)?.['async_percent_completion'] !== 100 || states.at(-1)?.['async_status'] !== 'Job Completed') {
      if (Date.now() > deadline) throw new Error(JSON.stringify(states.at(-1)));
      states.push({ ...data((await run.get(fieldNames(AdReportRun.Fields))) as unknown as Node) });
    }
    expect(states.at(-1)).toMatchObject({ id, account_id: accountId });
    for (const state of states) for (const name of Object.keys(state)) expect(fieldNames(AdReportRun.Fields)).toContain(name);
    const first = (await run.getInsights([], { limit: 10 })) as unknown as Cursor;
    const { rows, pages } = await rowsOf(first);
    expect(pages).toBeGreaterThan(1);
    expect(rows).toEqual((await rowsOf(await insights({ level: 'campaign', limit: 500 }))).rows);
  });
});

describe('archived and deleted objects', () => {
  it.each([
    ['campaign', fieldNames(Campaign.EffectiveStatus)],
    ['adset', fieldNames(AdSet.EffectiveStatus)],
    ['ad', fieldNames(Ad.EffectiveStatus)],
  ])('of the level %s are returned only with all of its own statuses', async (level, statuses) => {
    const filtering = [{ field: `${level}.effective_status`, operator: 'IN', value: statuses }];
    const total = impressionsOf((await rowsOf(await insights({ level: 'account' }))).rows);
    expect(impressionsOf((await rowsOf(await insights({ level, filtering, limit: 500 }))).rows)).toBe(total);
    expect(impressionsOf((await rowsOf(await insights({ level, limit: 500 }))).rows)).toBeLessThan(total);
  });

  it('are rejected with a status of another level', async () => {
    const filtering = [{ field: 'campaign.effective_status', operator: 'IN', value: fieldNames(Ad.EffectiveStatus) }];
    await expect(insights({ level: 'campaign', filtering })).rejects.toMatchObject({ status: 400, response: { code: 100 } });
  });
});

describe("Meta's SDK parses", () => {
  it.each([
    ['throttle', {}, 400, { code: 80_000, error_subcode: 2_446_079 }],
    ['server_error', {}, 500, { code: 2, is_transient: true }],
    ['time_out', {}, 500, { code: 2, error_subcode: 1_504_038 }],
    ['report_too_big', {}, 400, { code: 100, error_subcode: 1_487_534 }],
    ['page_too_large', { mostRows: 10 }, 500, { code: 1 }],
    ['permission', { accountId }, 403, { code: 200 }],
    ['closed', { accountId }, 400, { code: 100, error_subcode: 33, type: 'GraphMethodException' }],
  ])('the error of the fault %s', async (fault, parameters, status, response) => {
    await sandbox.addFault(fault, parameters);
    const failure: unknown = await insights({ level: 'campaign' }).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      name: 'FacebookRequestError',
      status,
      response: { message: expect.any(String), type: expect.any(String), fbtrace_id: expect.any(String), ...response },
      headers: { 'x-fb-trace-id': expect.any(String) },
    });
  });

  it('the error of an expired token', async () => {
    const other = await sandbox.signIn('limited@example.com');
    await sandbox.addFault('expire_token', { user: 'limited@example.com' });
    const user = new User('me', {}, undefined, new SandboxApi(other.accessToken, sandbox.settings.graphUrl));
    await expect(user.getAdAccounts(['name'])).rejects.toMatchObject({ response: { code: 190, error_subcode: 463 } });
  });

  it('the error of a field without the required permission', async () => {
    await expect(me.getAdAccounts(['name', 'business'])).rejects.toMatchObject({ status: 403, response: { code: 200 } });
  });
});

describe('the SDK contains all that the connector requests:', () => {
  const insightsFields = fieldNames(AdsInsights.Fields);
  const breakdowns = fieldNames(AdsInsights.Breakdowns);
  const statuses: Record<string, string[]> = {
    campaign: fieldNames(Campaign.EffectiveStatus),
    adset: fieldNames(AdSet.EffectiveStatus),
    ad: fieldNames(Ad.EffectiveStatus),
  };
  let asked: Record<string, string>[];

  beforeAll(async () => {
    await sandbox.newRequests();
    const northwind = (await accountsOf(source))('Northwind DE');
    for (const stream of source.streams)
      await collect(source.read(aContext(), { stream, account: northwind, from: '2026-07-26', to: '2026-07-26' }), stream);
    asked = (await sandbox.newRequests()).map(({ query, requestBody }) => ({
      ...query,
      ...Object.fromEntries(new URLSearchParams(requestBody)),
    }));
  });

  const listed = (name: string, isInsights: boolean): string[] => [
    ...new Set(
      asked
        .filter((parameters) => 'time_range' in parameters === isInsights)
        .flatMap((parameters) => (parameters[name] ?? '').split(',').filter(Boolean)),
    ),
  ];

  it('every field of accounts, and of insights', () => {
    expect(fieldNames(AdAccount.Fields)).toEqual(expect.arrayContaining(listed('fields', false)));
    expect(listed('fields', false)).toContain('account_id');
    expect(insightsFields).toEqual(expect.arrayContaining(listed('fields', true)));
    expect(listed('fields', true)).toContain('spend');
  });

  it('every level, breakdown and attribution window', () => {
    expect(fieldNames(AdsInsights.Level)).toEqual(expect.arrayContaining(listed('level', true)));
    expect(breakdowns).toEqual(expect.arrayContaining(listed('breakdowns', true)));
    expect(listed('breakdowns', true)).toContain('publisher_platform');
    const windows = asked.flatMap(({ action_attribution_windows: list }) => (list ? (JSON.parse(list) as string[]) : []));
    expect(fieldNames(AdsInsights.ActionAttributionWindows)).toEqual(expect.arrayContaining(windows));
    expect(windows).not.toEqual([]);
  });

  it('exactly the statuses of each level', () => {
    const filters = asked.flatMap(({ filtering }) =>
      filtering ? (JSON.parse(filtering) as { field: string; value: string[] }[]) : [],
    );
    const levels = filters.filter(({ field }) => field.endsWith('.effective_status'));
    expect(new Set(levels.map(({ field }) => field)).size).toBe(3);
    for (const { field, value } of levels)
      expect([...value].sort()).toEqual([...(statuses[field.split('.')[0] ?? ''] ?? [])].sort());
  });
});
