import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../app.js';
import { type Sandbox, startSandbox } from '../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../connectors/warehouse.js';
import { aConnection, anOrganization, daysAgo, eventually, expectStatus, type Organization } from '../factories.js';
import type { BackfillDetail } from '../../src/backfills/backfills.dto.js';
import type { RunDetail } from '../../src/sync/api/runs.dto.js';

const JAPAN = '9001000013';
const USA = '9001000012';

let sandbox: Sandbox;
let warehouse: Warehouse;

beforeAll(async () => {
  sandbox = await startSandbox();
  warehouse = await startWarehouse();
});
afterAll(async () => {
  await sandbox?.stop();
  await warehouse?.stop();
});

interface UnifiedRow {
  date: string;
  campaign_id: string;
  currency: string;
  cost_micros: string;
  exchange_rate: number | null;
  converted_currency: string | null;
  converted_cost_micros: string | null;
}

const endedRun = async ({ call, path }: Organization, id: string): Promise<RunDetail> => {
  const run = await eventually(
    async () => (await call.get<RunDetail>(`${path}/runs/${id}`)).body,
    ({ endedAt }) => endedAt !== null,
  );
  expect(run).toMatchObject({ state: 'succeeded' });
  return run;
};

async function setCurrency({ call, path }: Organization, currency: string): Promise<void> {
  const { version } = expectStatus(await call.get<{ version: number }>(path), 200).body;
  expectStatus(await call.patch(path, { currency, version }), 200);
}

/**
 * @param then what happens between the first run and the reading of the table
 * @param currency that the organization has before the first run; absent: the default
 */
async function load(
  overrides: Record<string, string>,
  then?: (organization: Organization, connection: string, run: RunDetail) => Promise<void>,
  currency?: string,
): Promise<UnifiedRow[]> {
  const app: TestApp = await startTestApp({ ROLE: 'all', ...sandboxSettings(sandbox.url), ...overrides });
  try {
    const organization = await anOrganization(app);
    if (currency !== undefined) await setCurrency(organization, currency);
    const options = { accountIds: [JAPAN, USA], streams: ['ad_performance_daily'], historyDays: 20 };
    const connection = await aConnection(organization, warehouse, options);
    const { body } = expectStatus(
      await organization.call.get<{ items: { id: string }[] }>(`${organization.path}/runs?connectionId=${connection.id}`),
      200,
    );
    const run = await endedRun(organization, body.items[0]?.id ?? '');
    await then?.(organization, connection.path, run);
    return await warehouse.query<UnifiedRow>(
      `select to_char(date, 'YYYY-MM-DD') as date, campaign_id, currency, cost_micros::text, exchange_rate, converted_currency,
              converted_cost_micros::text
         from ad_performance_daily order by date, campaign_id`,
    );
  } finally {
    await app.stop();
  }
}

it('does not convert costs if the operator has set no rate source', async () => {
  const rows = await load({ EXCHANGE_RATES_URL: '' });
  expect(rows.length).toBeGreaterThan(100);
  expect(new Set(rows.map((row) => row.currency))).toEqual(new Set(['JPY', 'USD']));
  expect(rows.every((row) => row.exchange_rate === null && row.converted_cost_micros === null)).toBe(true);
});

it('contains each cost also in the organization’s currency, at the rate of its day, or Friday’s rate on weekends', async () => {
  const before = await warehouse.query<{ cost: string }>('select sum(cost_micros)::text as cost from ad_performance_daily');
  const rows = await load({});
  const after = await warehouse.query<{ cost: string }>('select sum(cost_micros)::text as cost from ad_performance_daily');
  expect(after).toEqual(before);
  await expectConverted(rows);
});

it('contains the converted cost also of days that a backfill loads before the history', async () => {
  const older = { from: daysAgo(70), to: daysAgo(60) };
  const rows = await load({}, async ({ call }, connection) => {
    const started = await call.post<BackfillDetail>(`${connection}/backfills`, { mode: 'fill_missing', ...older });
    const { id } = expectStatus(started, 201).body;
    const backfill = await eventually(
      async () => (await call.get<BackfillDetail>(`${connection}/backfills/${id}`)).body,
      ({ endedAt }) => endedAt !== null,
    );
    expect(backfill).toMatchObject({ state: 'completed' });
  });
  const backfilled = rows.filter(({ date }) => date <= older.to);
  expect(new Set(backfilled.map(({ currency }) => currency))).toEqual(new Set(['JPY', 'USD']));
  await expectConverted(backfilled);
});

it('converts all costs again after the currency of the organization has changed', async () => {
  const currencies = await warehouse.query<{ currency: string }>(
    'select distinct converted_currency as currency from ad_performance_daily where converted_currency is not null',
  );
  expect(currencies).toEqual([{ currency: 'USD' }]);
  const rows = await load({}, async (organization, connection) => {
    await setCurrency(organization, 'EUR');
    const { id } = expectStatus(await organization.call.post<{ id: string }>(`${connection}/run`), 202).body;
    const { log } = await endedRun(organization, id);
    expect(log.map(({ message }) => message)).toContain(
      'The currency of the organization changed: all days of ad_performance_daily are loaded again.',
    );
  });
  const loaded = rows.filter(({ date }) => date >= daysAgo(20));
  expect(new Set(loaded.map((row) => row.converted_currency))).toEqual(new Set(['EUR']));
});

it('warns about days without a rate, and the sample of the documentation lists their cost in its currency', async () => {
  let sentences: string[] = [];
  await warehouse.query('drop table ad_performance_daily');
  const rows = await load(
    {},
    async (_organization, _connection, { log }) => {
      sentences = log.filter(({ level }) => level === 'warn').map(({ message }) => message);
    },
    'XAF',
  );
  expect(rows.every((row) => row.converted_cost_micros === null)).toBe(true);
  expect(sentences).toHaveLength(2);
  for (const currency of ['JPY', 'USD'])
    expect(sentences.join()).toMatch(
      new RegExp(`No exchange rate from ${currency} to XAF for \\d+ days, .+: their costs are not converted`),
    );
  const page = readFileSync(new URL('../../../docs/reporting.md', import.meta.url), 'utf8');
  const query = [...page.matchAll(/```sql\n([^`]+)```/g)]
    .map(([, text = '']) => text)
    .find((text) => text.includes('converted_cost'));
  const sampled = await warehouse.query<Record<string, unknown>>(query ?? '');
  expect(new Set(sampled.map((row) => row['currency_not_converted']))).toEqual(new Set(['JPY', 'USD']));
  expect(sampled.every((row) => row['converted_currency'] === null && Number(row['cost_not_converted']) >= 0)).toBe(true);
});

async function expectConverted(rows: UnifiedRow[]): Promise<void> {
  const published = await ratesOf(sandbox.url);
  for (const row of rows.filter(({ date }) => date <= daysAgo(2))) {
    const day = published.find((rates) => rates.Date !== undefined && rates.Date <= row.date);
    const rate = row.currency === 'USD' ? 1 : Number(day?.USD) / Number(day?.[row.currency]);
    expect(row).toMatchObject({ converted_currency: 'USD', exchange_rate: rate });
    expect(row.converted_cost_micros).toBe(String(Math.round(Number(row.cost_micros) * rate)));
  }
}

/** Newest first, as published. */
async function ratesOf(url: string): Promise<Record<string, string>[]> {
  const text = await (await fetch(`${url}/exchange-rates/eurofxref-hist.csv`)).text();
  const [head = [], ...lines] = text
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  return lines.map((cells) => Object.fromEntries(cells.map((cell, index) => [head[index] ?? '', cell])));
}
