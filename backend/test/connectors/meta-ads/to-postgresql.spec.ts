import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Destination, Slice, Source } from '../../../src/connectors/kit/contract.js';
import { postgresqlDestination } from '../../../src/connectors/postgresql/index.js';
import { aContext } from '../context.js';
import { accountsOf, sliceOf, startMetaSandbox, type MetaSandbox } from './meta-sandbox.js';
import { ownNetwork, startWarehouse, type Warehouse } from '../warehouse.js';

let sandbox: MetaSandbox;
let warehouse: Warehouse;
let source: Source;
let destination: Destination;
let slices: Slice[];

beforeAll(async () => {
  [sandbox, warehouse] = await Promise.all([startMetaSandbox(), startWarehouse()]);
  source = sandbox.source(await sandbox.signIn());
  destination = postgresqlDestination(warehouse.settings, ownNetwork);
  await destination.prepare(aContext(), source.streams);
  const account = (await accountsOf(source))('Northwind JP');
  slices = source.streams.map(({ name }) => sliceOf(source, name, account, 4, 50));
});
afterEach(() => sandbox.clearFaults());
afterAll(async () => {
  await destination.close();
  await Promise.all([warehouse.stop(), sandbox.stop()]);
});

const load = (slice: Slice) =>
  destination.write(aContext(), slice, source.read(aContext(), slice), { runId: randomUUID(), leaseEpoch: 1n });

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

async function expected({ stream, account, from, to }: Slice) {
  const totals = await sandbox.totals(account.externalId, from, to);
  // The shared table contains the campaigns.
  return totals[stream.scope ? 'campaign_daily' : stream.name];
}

it('loaded rows equal Meta’s, also the second time and after ten restatements', async () => {
  for (const slice of slices) {
    for (let time = 0; time < 2; time++) {
      await load(slice);
      expect({ [slice.stream.name]: await held(slice) }).toEqual({ [slice.stream.name]: await expected(slice) });
    }
  }
  const before = await held(slices[1]!);
  const { account, from, to } = slices[0]!;
  for (let time = 0; time < 10; time++) await sandbox.addFault('restate', { accountId: account.externalId, from, to });
  for (const slice of slices) {
    await load(slice);
    expect({ [slice.stream.name]: await held(slice) }).toEqual({ [slice.stream.name]: await expected(slice) });
  }
  expect(await held(slices[1]!)).not.toEqual(before);
});

it('a row removed at Meta is deleted in the table', async () => {
  const slice = slices.find(({ stream }) => stream.name === 'ad_daily')!;
  const keys = async () =>
    new Set(
      (await warehouse.query<{ key: string }>(`SELECT date || ' ' || ad_id AS key FROM meta_ads_ad_daily`)).map(({ key }) => key),
    );
  await load(slice);
  const before = await keys();
  await sandbox.addFault('restate', { accountId: slice.account.externalId, from: slice.from, to: slice.to });
  await load(slice);
  const after = await keys();
  expect([...before].filter((key) => !after.has(key)).length).toBeGreaterThan(0);
});

it('nothing changes when the answer is truncated', async () => {
  const slice = slices.find(({ stream }) => stream.name === 'campaign_daily')!;
  await load(slice);
  const before = await held(slice);
  await sandbox.addFault('restate', { accountId: slice.account.externalId, from: slice.from, to: slice.to });
  await sandbox.addFault('truncate', { level: 'campaign' });
  await expect(load(slice)).rejects.toMatchObject({ code: 'meta_ads.totals_differ' });
  expect(await held(slice)).toEqual(before);
});
