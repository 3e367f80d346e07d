import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Destination, Fence, Row, Stream, TableReplacement, Target } from '../../../src/connectors/kit/contract.js';
import { LeaseLost, RetryLater } from '../../../src/connectors/kit/errors.js';
import { eventually } from '../../factories.js';
import { aContext } from '../context.js';
import { startRecordingProxy } from '../recording-proxy.js';
import { aRow, aSlice, anAccount, campaignDaily, pagesOf } from '../rows.js';
import { startBigQuery, type BigQueryWarehouse } from './bigquery-warehouse.js';

const TABLE = campaignDaily.table;
const PATH = `/datasets/ads/tables/${TABLE}`;
const beside: Stream = { ...campaignDaily, table: `${TABLE}_n1a2b3c` };
const replaced = {
  stream: campaignDaily,
  beside,
  loaded: [{ accountId: anAccount.externalId, from: '2026-01-01', to: '2026-12-31' }],
};

let warehouse: BigQueryWarehouse;
let destination: Destination;
let replacement: TableReplacement;
let fence: Fence;
let target: Target;

beforeAll(async () => {
  warehouse = await startBigQuery();
});
afterAll(() => warehouse.sandbox.stop());
beforeEach(async () => {
  destination = await warehouse.open();
  replacement = replacementOf(destination);
  fence = { runId: randomUUID(), leaseEpoch: 2n };
  await destination.prepare(aContext(), [campaignDaily]);
  await write(campaignDaily, [aRow({ impressions: 1n }), aRow({ campaign_id: 2n, impressions: 1n })]);
  target = await prepareBeside();
});
afterEach(async () => {
  await warehouse.sandbox.clearFaults();
  await warehouse.call('DELETE', '/datasets/ads?deleteContents=true');
});

function replacementOf({ replacement: found }: Destination): TableReplacement {
  if (!found) throw new Error('BigQuery replaces tables');
  return found;
}
async function prepareBeside(): Promise<Target> {
  const prepared = (await destination.prepare(aContext(), [beside])).get(beside.name);
  if (!prepared) throw new Error('the new table has a target');
  await write(beside, [aRow({ impressions: 7n })]);
  return prepared;
}
const write = (stream: Stream, rows: Row[], at = fence) =>
  destination.write(aContext(), { ...aSlice(), stream }, pagesOf(rows), at);
const swap = (given = fence, by = replacement) => by.swap(aContext(), replaced, given);
const isSwapped = (by = replacement) => by.isSwapped(aContext(), replaced, target);
const stored = async (...columns: string[]) =>
  (await warehouse.rows())
    .map((row) => ['campaign_id', ...columns].map((column) => row[column]))
    .sort((left, right) => (String(left) < String(right) ? -1 : 1));
const locks = async () => (await warehouse.rows('_tributary_runs')).filter(({ run_id }) => String(run_id).startsWith('swap '));
const OLD_ROWS = [
  ['1', '1'],
  ['2', '1'],
];
const NEW_ROWS = [['1', '7']];

/** A swap whose statement has read the tables and has not replaced them yet. */
async function aRunningSwap(delayMs: number): Promise<{ outcome: Promise<unknown> }> {
  const another = replacementOf(await warehouse.open());
  await warehouse.fault('slow_job', { delayMs, times: 1, table: TABLE, resource: 'query' });
  const outcome = swap(fence, another).catch((error: unknown) => error);
  await eventually(
    async () => ((await warehouse.call('GET', '/jobs'))['jobs'] ?? []) as { state: string; id: string }[],
    (jobs) => jobs.some(({ id, state }) => id.includes('tributary_swap_') && state === 'RUNNING'),
  );
  return { outcome };
}

describe('a swap', () => {
  it('is rejected for a worker that lost the run, and changes nothing', async () => {
    await expect(swap({ ...fence, leaseEpoch: 1n })).rejects.toBeInstanceOf(LeaseLost);
    expect([await stored('impressions'), await isSwapped(), await locks()]).toEqual([OLD_ROWS, false, []]);
  });

  it('is made by a worker that took over the run and wrote no slice', async () => {
    await swap({ ...fence, leaseEpoch: 3n });
    expect(await stored('impressions')).toEqual(NEW_ROWS);
  });

  it('is recognized afterwards, is found by the next preparation, and leaves neither the new table nor a lock', async () => {
    const swapped = await swap();
    expect([await stored('impressions'), await isSwapped(), await locks()]).toEqual([NEW_ROWS, true, []]);
    expect((await destination.prepare(aContext(), [campaignDaily])).get(campaignDaily.name)).toEqual(swapped);
    expect(await warehouse.tables()).toEqual(['_tributary_runs', TABLE]);
    await replacement.drop(aContext(), beside);
    await expect(swap({ ...fence, leaseEpoch: 1n })).rejects.toBeInstanceOf(LeaseLost);
    expect(await stored('impressions')).toEqual(NEW_ROWS);
  });

  it('keeps rows of other accounts and of days that it did not load, also without new rows', async () => {
    await warehouse.query(`UPDATE ads.${TABLE} SET account_id = "o'ther" WHERE campaign_id = 2`);
    const slice = { ...aSlice({ from: '2025-01-01', to: '2025-01-01' }), stream: campaignDaily };
    await destination.write(aContext(), slice, pagesOf([aRow({ date: '2025-01-01', campaign_id: 3n })]), fence);
    await write(beside, []);
    await swap();
    expect(await stored('account_id')).toEqual([
      ['2', "o'ther"],
      ['3', anAccount.externalId],
    ]);
  });

  it('keeps columns, description, labels and options of users, and the layout of the table', async () => {
    await warehouse.query(`ALTER TABLE ads.${TABLE} ADD COLUMN note STRING`);
    await warehouse.query(`UPDATE ads.${TABLE} SET account_id = 'other', note = 'kept' WHERE campaign_id = 2`);
    const expirationTime = String(Date.now() + 86_400_000);
    const options = { description: "Read by 'finance'\n\\o/", friendlyName: 'Ads', requirePartitionFilter: true, expirationTime };
    const clustering = { fields: ['campaign_id'] };
    await warehouse.call('PATCH', PATH, { ...options, clustering, labels: { tributary: 'owned', team: 'growth' } });
    const before = await warehouse.table();
    await swap();
    const after = await warehouse.table();
    expect(await stored('note')).toEqual([
      ['1', null],
      ['2', 'kept'],
    ]);
    const kept = (table: typeof before) => [table?.['timePartitioning'], table?.['tableConstraints'], table?.['schema']];
    expect(kept(after)).toEqual(kept(before));
    expect(after).toMatchObject({ ...options, clustering, labels: { tributary: 'owned', team: 'growth' } });
  });

  it.each(['defaultPartitionExpirationMs', 'defaultTableExpirationMs'])('keeps old days in a dataset with %s', async (name) => {
    await warehouse.call('PATCH', '/datasets/ads', { [name]: String(30 * 86_400_000) });
    await swap();
    expect(await stored('impressions')).toEqual(NEW_ROWS);
    const { expirationTime } = (await warehouse.table()) as { expirationTime?: string };
    expect(Number(expirationTime ?? Infinity)).toBeGreaterThan(Date.now() + 10_000 * 86_400_000);
  });

  it('creates the table if a user has deleted it', async () => {
    await warehouse.call('DELETE', PATH);
    expect(await replacement.inspect(aContext(), campaignDaily)).toBeNull();
    await swap();
    expect(await stored('impressions')).toEqual(NEW_ROWS);
    expect(await warehouse.table()).toMatchObject({ timePartitioning: { type: 'DAY', field: 'date' } });
  });
});

describe('a table with a column of another type', () => {
  /** A type cannot be changed, so users create the table again. */
  const retype = async (value: string) => {
    const table = (await warehouse.table()) as { schema: { fields: { name: string; type: string }[] } };
    const fields = table.schema.fields.map((field) => (field.name === 'impressions' ? { ...field, type: 'STRING' } : field));
    const { timePartitioning, clustering, labels } = table as Record<string, unknown>;
    const tableReference = { tableId: TABLE };
    await warehouse.call('DELETE', PATH);
    await warehouse.call('POST', '/datasets/ads/tables', {
      tableReference,
      schema: { fields },
      timePartitioning,
      clustering,
      labels,
    });
    const { columns, values } = cells({ ...aRow({ campaign_id: 5n }), account_id: 'other', impressions: value });
    await warehouse.query(`INSERT INTO ads.${TABLE} (${columns}) VALUES (${values})`);
  };
  const cells = (row: Row) => ({
    columns: Object.keys(row).join(', '),
    values: Object.values(row)
      .map((value) => (typeof value === 'string' ? `'${value}'` : String(value)))
      .join(', '),
  });

  it('has the right one after the swap, and its other rows are converted', async () => {
    await retype('12');
    await expect(destination.prepare(aContext(), [campaignDaily])).rejects.toMatchObject({ code: 'bigquery.table_changed' });
    const inspected = await replacement.inspect(aContext(), campaignDaily);
    expect(inspected?.columns).not.toHaveProperty('impressions');
    expect(inspected?.columns).toHaveProperty('clicks');
    await swap();
    expect(await stored('impressions')).toEqual([
      ['1', '7'],
      ['5', '12'],
    ]);
    expect((await destination.prepare(aContext(), [campaignDaily])).size).toBe(1);
  });

  it('is not replaced if a value of its other rows cannot be converted', async () => {
    await retype('many');
    await expect(swap()).rejects.toMatchObject({
      code: 'resync.refused',
      message: expect.stringContaining('Bad int64 value: many') as string,
    });
    expect([await stored('impressions'), await isSwapped(), await locks()]).toEqual([[['5', 'many']], false, []]);
  });
});

describe('a table is not replaced', () => {
  const refusal = async (by = replacement): Promise<Error> => {
    const failure = await by.inspect(aContext(), campaignDaily).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'resync.refused' });
    return failure as Error;
  };

  it('if it has row access policies, which only an owner of the data can see, or rights of its own', async () => {
    const viewer: Parameters<typeof warehouse.open>[0] = {
      access: { authMode: 'service_account', credentials: { serviceAccountKey: await warehouse.keyFile('viewer') } },
    };
    expect((await refusal(replacementOf(await warehouse.open(viewer)))).message).toContain('cannot see whether');
    const policy = { rowAccessPolicyReference: { policyId: 'emea' }, filterPredicate: "account_id = '1'" };
    await warehouse.call('POST', `${PATH}/rowAccessPolicies`, policy);
    const bindings = [{ role: 'roles/bigquery.dataViewer', members: ['domain:example.com'] }];
    await warehouse.call('POST', `${PATH}:setIamPolicy`, { policy: { bindings } });
    const { message } = await refusal();
    expect(message).toContain('it has the row access policy emea');
    expect(message).toContain('roles/bigquery.dataViewer is granted on the table itself');
  });

  it('if a materialized view of the dataset reads it', async () => {
    const ofQuery = (tableId: string, query: string) =>
      warehouse.call('POST', '/datasets/ads/tables', { tableReference: { tableId }, materializedView: { query } });
    await ofQuery('others', `SELECT 1 FROM ads.${TABLE}_copy`);
    expect(await replacement.inspect(aContext(), campaignDaily)).not.toBeNull();
    await ofQuery('sums', `SELECT SUM(clicks) FROM \`northwind-marketing.ads.${TABLE}\``);
    const { message } = await refusal();
    expect(message).toContain('the materialized view sums reads it');
    expect(message).not.toContain('others');
  });

  it('if a column has policy tags', async () => {
    const { schema } = (await warehouse.table()) as { schema: { fields: object[] } };
    const [first, ...rest] = schema.fields;
    await warehouse.call('PATCH', PATH, { schema: { fields: [{ ...first, policyTags: { names: ['pii'] } }, ...rest] } });
    expect((await refusal()).message).toMatch(/its column \w+ has policy tags/);
  });

  it('if it refers to another table, lacks a column of the key, or is not of Tributary', async () => {
    const keys = { primaryKey: { columns: ['date'] }, foreignKeys: [{ name: 'to_accounts' }] };
    await warehouse.call('PATCH', PATH, { tableConstraints: keys });
    expect((await refusal()).message).toContain('it has a foreign key');
    await warehouse.call('DELETE', PATH);
    const create = (more: object) =>
      warehouse.call('POST', '/datasets/ads/tables', {
        tableReference: { tableId: TABLE },
        schema: { fields: [{ name: 'date', type: 'DATE' }] },
        ...more,
      });
    await create({ labels: { tributary: 'owned' } });
    expect((await refusal()).message).toContain('its column account_id is missing');
    await warehouse.call('DELETE', PATH);
    await create({});
    expect((await refusal()).message).toContain('was not created by Tributary');
  });

  it('but the swap is retried, if a table was deleted after the swap began', async () => {
    await warehouse.fault('job_fails', { reason: 'notFound', message: 'Not found: Table', table: TABLE, times: 1 });
    await expect(swap()).rejects.toBeInstanceOf(RetryLater);
  });

  it('if the limit per query is too low', async () => {
    await warehouse.fault('job_fails', {
      reason: 'bytesBilledLimitExceeded',
      message: 'Query exceeded limit',
      table: TABLE,
      times: 1,
    });
    await expect(swap()).rejects.toMatchObject({
      code: 'resync.refused',
      message: expect.stringContaining('more data than this destination allows') as string,
    });
    await warehouse.sandbox.clearFaults();
    expect([await isSwapped(), await locks()]).toEqual([false, []]);
  });
});

describe('the job of a worker that was replaced', () => {
  it('is canceled, and waited for, before the next worker decides that the tables are not swapped', async () => {
    const { outcome } = await aRunningSwap(60_000);
    expect(await stored('impressions')).toEqual(OLD_ROWS);
    expect([await isSwapped(), await locks()]).toEqual([false, []]);
    expect(await outcome).toBeInstanceOf(RetryLater);
    await swap({ ...fence, leaseEpoch: 3n });
    expect([await stored('impressions'), await isSwapped()]).toEqual([NEW_ROWS, true]);
  });

  it('is recognized as applied if the cancellation came too late', async () => {
    await warehouse.fault('cancel_too_late');
    const { outcome } = await aRunningSwap(400);
    expect([await isSwapped(), await locks()]).toEqual([true, []]);
    expect(await stored('impressions')).toEqual(NEW_ROWS);
    // Its worker did not notice anything. The engine rejects what it stores.
    expect(await outcome).not.toBeInstanceOf(Error);
  });

  it('cannot begin any more, even if the request arrives after the swap was ended', async () => {
    const proxy = await startRecordingProxy(warehouse.sandbox.url);
    const by = replacementOf(await warehouse.open({ operator: { baseUrl: `${proxy.url}/bigquery-api` } }));
    await warehouse.fault('job_fails', { reason: 'invalidQuery', message: 'crashed', table: TABLE, times: 1 });
    await expect(swap(fence, by)).rejects.toMatchObject({ code: 'resync.refused' });
    await proxy.stop();
    await warehouse.sandbox.clearFaults();
    expect(await isSwapped()).toBe(false);
    const [query] = proxy.requests.flatMap(({ body }) => {
      const text = (body as { configuration?: { query?: { query: string } } } | null)?.configuration?.query?.query ?? '';
      return text.startsWith('CREATE OR REPLACE') ? [text] : [];
    });
    await expect(warehouse.query(query ?? '')).rejects.toThrow('tributary: the swap was ended');
    expect(await stored('impressions')).toEqual(OLD_ROWS);
  });

  it('is ended when the re-sync is canceled, with its new table', async () => {
    const { outcome } = await aRunningSwap(60_000);
    await replacement.drop(aContext(), beside);
    expect(await outcome).toBeInstanceOf(RetryLater);
    expect(await warehouse.tables()).toEqual(['_tributary_runs', TABLE]);
    expect([await stored('impressions'), await locks()]).toEqual([OLD_ROWS, []]);
  });
});

describe('while a table is replaced', () => {
  const load = (at: Fence, stream = campaignDaily) =>
    destination.write(
      aContext(),
      { ...aSlice(), stream, account: { ...anAccount, externalId: 'other' } },
      pagesOf([aRow({ account_id: 'other', campaign_id: 9n })]),
      at,
    );
  const other = () => ({ runId: randomUUID(), leaseEpoch: 1n });

  it('its loads wait, so that no row is lost with the old table, and other tables are loaded', async () => {
    const another: Stream = { ...campaignDaily, name: 'another', table: `${TABLE}_twin` };
    await destination.prepare(aContext(), [another]);
    const { outcome } = await aRunningSwap(4_000);
    await expect(load(other())).rejects.toMatchObject({ name: 'RetryLater', code: 'bigquery.table_replaced' });
    await load(other(), another);
    expect(await outcome).not.toBeInstanceOf(Error);
    await load(other());
    expect(await stored('account_id')).toEqual([
      ['1', anAccount.externalId],
      ['9', 'other'],
    ]);
  });

  it('a swap that nobody ended for too long is ended by the next load', async () => {
    const { outcome } = await aRunningSwap(60_000);
    await expect(load(other())).rejects.toBeInstanceOf(RetryLater);
    expect(await locks()).toHaveLength(1);
    await warehouse.query(`UPDATE ads._tributary_runs SET loaded_at = TIMESTAMP_SUB(loaded_at, INTERVAL 1 HOUR) WHERE STARTS_WITH(run_id, 'swap ')`); // prettier-ignore
    await expect(load(other())).rejects.toBeInstanceOf(RetryLater);
    expect([(await outcome) instanceof RetryLater, await locks()]).toEqual([true, []]);
    await load(other());
    expect(await stored('impressions')).toEqual([...OLD_ROWS, ['9', '100']]);
  });
});
