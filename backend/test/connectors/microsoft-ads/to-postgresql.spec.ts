import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Destination, Slice, Source } from '../../../src/connectors/kit/contract.js';
import { addDays, dayInTimeZone } from '../../../src/connectors/kit/days.js';
import { postgresqlDestination } from '../../../src/connectors/postgresql/index.js';
import { aContext } from '../context.js';
import { startMicrosoftSandbox, type MicrosoftSandbox } from './microsoft-sandbox.js';
import { ownNetwork, startWarehouse, type Warehouse } from '../warehouse.js';

let sandbox: MicrosoftSandbox;
let warehouse: Warehouse;
let source: Source;
let destination: Destination;
let slices: Slice[];

beforeAll(async () => {
  [sandbox, warehouse] = await Promise.all([startMicrosoftSandbox(), startWarehouse()]);
  source = sandbox.source(await sandbox.signIn());
  destination = postgresqlDestination(warehouse.settings, ownNetwork);
  await destination.prepare(aContext(), source.streams);
  const account = (await source.listAccounts(aContext())).find(({ name }) => name === 'Northwind JP')!;
  // Old enough to be settled.
  const to = addDays(dayInTimeZone(new Date(), account.timeZone), -120);
  slices = source.streams.map((stream) => ({ stream, account, from: addDays(to, -5), to }));
});
afterEach(() => sandbox.clearFaults());
afterAll(async () => {
  await destination.close();
  await Promise.all([warehouse.stop(), sandbox.stop()]);
});

const load = (slice: Slice) =>
  destination.write(aContext(), slice, source.read(aContext(), slice), { runId: randomUUID(), leaseEpoch: 1n });

const sliceOf = (name: string): Slice => slices.find(({ stream }) => stream.name === name)!;

const restate = ({ account, from, to }: Slice) => sandbox.addFault({ fault: 'restate', accountId: account.externalId, from, to });

/** The destination's content in the format of the sandbox's totals. */
async function held(slice: Slice) {
  const days = await destination.totals(aContext(), slice);
  const sum = (metric: 'costMicros' | 'clicks' | 'impressions') => days.reduce((total, day) => total + day[metric], 0n);
  return {
    rows: days.reduce((total, day) => total + day.rows, 0),
    costMicros: String(sum('costMicros')),
    clicks: Number(sum('clicks')),
    impressions: Number(sum('impressions')),
  };
}

async function expectSameSums(): Promise<void> {
  for (const slice of slices) {
    await load(slice);
    const totals = await sandbox.totals(slice.account.externalId, slice.from, slice.to);
    expect({ [slice.stream.name]: await held(slice) }).toEqual({ [slice.stream.name]: totals[slice.stream.name] });
  }
}

it('loaded rows equal Microsoft’s, also the second time and after ten restatements', async () => {
  await expectSameSums();
  const before = await held(sliceOf('campaign_daily'));
  await expectSameSums();
  expect(await held(sliceOf('campaign_daily'))).toEqual(before);
  for (let time = 0; time < 10; time++) await restate(sliceOf('campaign_daily'));
  await expectSameSums();
  expect(await held(sliceOf('campaign_daily'))).not.toEqual(before);
});

it('a row removed at Microsoft is deleted in the table, and ids are exact', async () => {
  const slice = sliceOf('keyword_daily');
  const keys = async () => {
    const columns = "date || ' ' || keyword_id || ' ' || device || ' ' || delivered_match_type";
    const rows = await warehouse.query<{ key: string }>(`SELECT ${columns} AS key FROM microsoft_ads_keyword_daily`);
    return new Set(rows.map(({ key }) => key));
  };
  await load(slice);
  const before = await keys();
  let after = before;
  const isRemoved = (key: string) => !after.has(key);
  // A single restatement may remove no row of these days.
  for (let time = 0; time < 10 && ![...before].some(isRemoved); time++) {
    await restate(slice);
    await load(slice);
    after = await keys();
  }
  expect([...before].some(isRemoved)).toBe(true);
  for (const key of after) expect(BigInt(key.split(' ')[1] ?? 0)).toBeGreaterThan(BigInt(Number.MAX_SAFE_INTEGER));
});

it.each(['truncate_rows', 'repeat_rows', 'truncate_zip'])('nothing changes when the report is damaged: %s', async (fault) => {
  const slice = sliceOf('ad_daily');
  await load(slice);
  const before = await held(slice);
  await restate(slice);
  await sandbox.addFault({ fault });
  await expect(load(slice)).rejects.toMatchObject({ name: 'CorruptAnswer' });
  expect(await held(slice)).toEqual(before);
});

it('an account in Karachi loads in its own time zone, which Microsoft spells in two ways', async () => {
  const source = sandbox.source(await sandbox.signIn('karachi@example.com'));
  const [account] = await source.listAccounts(aContext());
  expect(account).toMatchObject({ name: 'Northwind PK', timeZone: 'Asia/Karachi' });
  const slice = { ...sliceOf('campaign_daily'), account: account! };
  await destination.write(aContext(), slice, source.read(aContext(), slice), { runId: randomUUID(), leaseEpoch: 1n });
  const totals = await sandbox.totals('180500016', slice.from, slice.to);
  expect(totals['campaign_daily']?.rows).toBeGreaterThan(0);
  expect(await held(slice)).toEqual(totals['campaign_daily']);
  const zones = await warehouse.query<{ zone: string }>(
    `SELECT DISTINCT time_zone AS zone FROM microsoft_ads_campaign_daily WHERE account_id = '180500016'`,
  );
  expect(zones).toEqual([{ zone: 'Asia/Karachi' }]);
});

it('the date columns describe their time zone', async () => {
  for (const { table, columns } of slices.map(({ stream }) => stream)) {
    const { description = '' } = columns.find(({ name }) => name === 'date') ?? {};
    expect([table, description]).toEqual([table, expect.stringMatching(/Microsoft.*UTC/)]);
    const [stored] = await warehouse.query<{ comment: string }>(
      `SELECT col_description($1::regclass, attnum) AS comment FROM pg_attribute WHERE attrelid = $1::regclass AND attname = 'date'`,
      [table],
    );
    expect(stored?.comment).toBe(description);
  }
});
