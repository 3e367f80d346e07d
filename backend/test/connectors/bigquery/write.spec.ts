import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Destination, Fence, Page, Row } from '../../../src/connectors/kit/contract.js';
import { CorruptAnswer, LeaseLost, RetryLater } from '../../../src/connectors/kit/errors.js';
import { startBigQuery, type BigQueryWarehouse } from './bigquery-warehouse.js';
import { aContext } from '../context.js';
import { aRow, aSlice, anAccount, campaignDaily, pagesOf, sumRowsByDay, toPage } from '../rows.js';

let warehouse: BigQueryWarehouse;
let destination: Destination;

beforeAll(async () => {
  warehouse = await startBigQuery();
});
beforeEach(async () => {
  destination = await warehouse.open();
  await destination.prepare(aContext(), [campaignDaily]);
});
afterEach(async () => {
  await warehouse.sandbox.clearFaults();
  await destination.close();
  await warehouse.call('DELETE', '/datasets/ads?deleteContents=true');
});
afterAll(() => warehouse.sandbox.stop());

const aFence = (overrides: Partial<Fence> = {}): Fence => ({ runId: randomUUID(), leaseEpoch: 1n, ...overrides });
const write = (rows: Row[], fence = aFence(), slice = aSlice()) => destination.write(aContext(), slice, pagesOf(rows), fence);
const stored = async (...columns: string[]) =>
  (await warehouse.rows())
    .map((row) => columns.map((column) => row[column]))
    .sort((left, right) => (String(left) < String(right) ? -1 : 1));
const threeRows = [aRow(), aRow({ campaign_id: 2n }), aRow({ campaign_id: 3n, date: '2026-01-02' })];

describe('atomic writes', () => {
  it('names a column that was dropped during the run', async () => {
    await warehouse.query(`ALTER TABLE ads.${campaignDaily.table} DROP COLUMN campaign_name`);
    await expect(write(threeRows)).rejects.toMatchObject({
      name: 'FixSettings',
      failureClass: 'schema',
      message: expect.stringMatching(
        /^A table in "ads" was changed and can no longer be loaded\. BigQuery: ".*campaign_name.*"\.$/,
      ),
    });
    expect(await warehouse.rows()).toEqual([]);
  });

  it('changes nothing when the pages fail, and rethrows the error unchanged', async () => {
    await write(threeRows);
    const failure = new CorruptAnswer({ code: 'test.truncated', message: 'truncated', action: 'none' });
    const failing = (async function* () {
      yield toPage([aRow({ impressions: 999n })]);
      throw failure;
    })();
    await expect(destination.write(aContext(), aSlice(), failing, aFence())).rejects.toBe(failure);
    expect(await stored('impressions')).toEqual([['100'], ['100'], ['100']]);
  });

  it('changes nothing when the caller aborts, and closes the source', async () => {
    const controller = new AbortController();
    let isSourceEnded = false;
    const stopping = (async function* () {
      try {
        yield toPage([aRow()]);
        controller.abort(new Error('stopped by the test'));
        yield toPage([aRow({ campaign_id: 2n })]);
      } finally {
        isSourceEnded = true;
      }
    })();
    const context = { ...aContext(), signal: controller.signal };
    await expect(destination.write(context, aSlice(), stopping, aFence())).rejects.toThrow('stopped by the test');
    expect([await stored(), isSourceEnded]).toEqual([[], true]);
  });

  it('loads no row of a slice when BigQuery loses acknowledged rows', async () => {
    await write(threeRows);
    await warehouse.fault('drop_rows', { everyNth: 2 });
    const again = write([aRow({ impressions: 1n }), aRow({ campaign_id: 2n }), aRow({ campaign_id: 5n })]);
    await expect(again).rejects.toMatchObject({ name: 'CorruptAnswer', code: 'bigquery.rows_lost' });
    expect(await stored('campaign_id', 'impressions')).toEqual([
      ['1', '100'],
      ['2', '100'],
      ['3', '100'],
    ]);
  });

  it('leaves no staging table, also after failures', async () => {
    await write(threeRows);
    await warehouse.fault('job_fails', { resource: 'query', reason: 'invalidQuery', message: 'rejected by the test' });
    await expect(write(threeRows)).rejects.toMatchObject({ name: 'FixSettings' });
    expect(await warehouse.tables()).toEqual(['_tributary_runs', campaignDaily.table]);
  });
});

describe('the fence', () => {
  it('rejects a worker with an outdated epoch', async () => {
    const fence = aFence({ leaseEpoch: 2n });
    await write(threeRows, fence);
    await expect(write([], { ...fence, leaseEpoch: 1n })).rejects.toBeInstanceOf(LeaseLost);
    expect(await stored()).toHaveLength(3);
  });

  it('rejects a worker that was paused while reading, after another claimed the run', async () => {
    const fence = aFence();
    const successor = await warehouse.open();
    const paused = (async function* () {
      yield toPage([aRow({ impressions: 1n })]);
      const newer = { ...fence, leaseEpoch: 2n };
      await successor.write(aContext(), aSlice(), pagesOf([aRow({ impressions: 2n })]), newer);
      yield toPage([aRow({ campaign_id: 2n })]);
    })();
    await expect(destination.write(aContext(), aSlice(), paused, fence)).rejects.toBeInstanceOf(LeaseLost);
    expect(await stored('campaign_id', 'impressions')).toEqual([['1', '2']]);
  });

  it('allows concurrent slices of one worker, and two workers in one dataset', async () => {
    const fence = aFence();
    const other = await warehouse.open();
    const accounts = ['1', '2', '3', '4', '5', '6'];
    await Promise.all(
      accounts.map((externalId, index) =>
        (index % 2 ? destination : other).write(
          aContext(),
          aSlice({ account: { ...anAccount, externalId } }),
          pagesOf([aRow({ account_id: externalId })]),
          index < 3 ? fence : aFence(),
        ),
      ),
    );
    expect(await stored('account_id')).toEqual(accounts.map((id) => [id]));
  });
});

describe('replacing', () => {
  it('leaves the same rows when a slice is written twice', async () => {
    await write(threeRows);
    await write(threeRows);
    expect(await stored('campaign_id')).toEqual([['1'], ['2'], ['3']]);
  });

  it('updates restated rows, deletes removed ones and adds new ones', async () => {
    await write(threeRows);
    await write([aRow({ impressions: 90n }), aRow({ campaign_id: 2n }), aRow({ campaign_id: 4n, date: '2026-01-03' })]);
    expect(await stored('campaign_id', 'impressions')).toEqual([
      ['1', '90'],
      ['2', '100'],
      ['4', '100'],
    ]);
  });

  it('deletes all rows of the days when the source has none', async () => {
    await write(threeRows);
    await expect(write([])).resolves.toEqual({ rowsWritten: 0, bytes: 0 });
    expect(await stored()).toEqual([]);
  });

  it('changes no other days, accounts or, in a shared table, platforms', async () => {
    const other = { ...anAccount, externalId: '9001000012' };
    const shared = { ...campaignDaily, scope: { column: 'network', value: 'SEARCH' } };
    await write([aRow({ account_id: other.externalId })], aFence(), aSlice({ account: other }));
    await write([aRow({ date: '2026-01-04' })], aFence(), aSlice({ from: '2026-01-04', to: '2026-01-04' }));
    await write([aRow({ network: 'CONTENT' })]);
    await write([], aFence(), aSlice({ stream: shared }));
    expect(await stored('account_id', 'date', 'network')).toEqual([
      [anAccount.externalId, '2026-01-01', 'CONTENT'],
      [anAccount.externalId, '2026-01-04', 'SEARCH'],
      [other.externalId, '2026-01-01', 'SEARCH'],
    ]);
  });

  it.each(['tab\there', 'line\nbreak', 'carriage\rreturn', 'back\\slash', '\\N', `quotes ' " \``, 'Größe 日本 🚀', ''])(
    'preserves the text %j',
    async (text) => {
      await write([aRow({ campaign_name: text })]);
      expect(await stored('campaign_name')).toEqual([[text]]);
    },
  );

  it('preserves numbers exactly, and null', async () => {
    const exact = { cost_micros: 9_007_199_254_740_993n, conversions: 0.1 + 0.2, impressions: -9_223_372_036_854_775_808n };
    await write([aRow({ ...exact, conversions_value: null, all_conversions: 1e21 })]);
    expect(await stored('cost_micros', 'conversions', 'impressions', 'conversions_value', 'all_conversions')).toEqual([
      ['9007199254740993', 0.30000000000000004, '-9223372036854775808', null, 1e21],
    ]);
  });
});

describe('totals', () => {
  it('reflect the table by day, also after a change by another client', async () => {
    await write(threeRows);
    expect(await destination.totals(aContext(), aSlice())).toMatchObject(sumRowsByDay(threeRows));
    await warehouse.query(`DELETE FROM ads.${campaignDaily.table} WHERE campaign_id = 3`);
    expect(await destination.totals(aContext(), aSlice())).toMatchObject(sumRowsByDay(threeRows.slice(0, 2)));
  });

  it('count the rows of a report without amounts', async () => {
    const bare = { ...campaignDaily, metrics: { costMicros: null, clicks: null, impressions: 'impressions' } };
    await write(threeRows.slice(0, 1));
    expect(await destination.totals(aContext(), aSlice({ stream: bare }))).toMatchObject([
      { day: '2026-01-01', rows: 1, costMicros: 0n, clicks: 0n, impressions: 100n },
    ]);
  });
});

describe('a slice too large for one request', () => {
  const pace = { multipartBytes: 64 * 1024, chunkBytes: 256 * 1024 };
  /** Names that do not compress, about 1.5 MB. */
  async function* largePages(): AsyncGenerator<Page> {
    for (let page = 0; page < 10; page++) {
      yield toPage(
        Array.from({ length: 200 }, (_, index) =>
          aRow({
            campaign_id: BigInt(page * 200 + index),
            campaign_name: Array.from({ length: 36 }, () => randomUUID()).join(''),
          }),
        ),
      );
    }
  }
  const writeLarge = async (pages = largePages()) =>
    (await warehouse.open({ pace })).write(aContext(), aSlice(), pages, aFence());
  const uploads = async () =>
    (await warehouse.requests()).filter(({ method, path }) => method === 'PUT' && path?.includes('/upload/'));

  it('is uploaded in parts', async () => {
    await expect(writeLarge()).resolves.toMatchObject({ rowsWritten: 2_000 });
    expect(await stored()).toHaveLength(1_000);
    expect((await uploads()).filter(({ status }) => status === 308).length).toBeGreaterThan(3);
    const totals = await destination.totals(aContext(), aSlice());
    expect(totals).toMatchObject([{ rows: 2_000, impressions: 200_000n }]);
  });

  it('resumes after a lost answer or a partial upload', async () => {
    await warehouse.fault('partial_upload', { times: 2 });
    await warehouse.fault('down', { resource: 'upload', times: 2, afterRequests: 3 });
    await expect(writeLarge()).resolves.toMatchObject({ rowsWritten: 2_000 });
    expect(await destination.totals(aContext(), aSlice())).toMatchObject([{ rows: 2_000 }]);
  });

  it('is loaded once although the last answer was lost', async () => {
    await warehouse.fault('fails_after_applying', { resource: 'load', times: 1 });
    await expect(writeLarge()).resolves.toMatchObject({ rowsWritten: 2_000 });
    expect(await destination.totals(aContext(), aSlice())).toMatchObject([{ rows: 2_000 }]);
  });

  it('is retried later when the upload is lost or its job fails', async () => {
    await warehouse.fault('lose_upload', { times: 1, afterRequests: 2 });
    await expect(writeLarge()).rejects.toMatchObject({ name: 'RetryLater', code: 'bigquery.upload_lost' });
    await warehouse.fault('job_fails', { resource: 'load', times: 1 });
    await expect(writeLarge()).rejects.toBeInstanceOf(RetryLater);
    expect(await stored()).toEqual([]);
  });

  it('does not record the address of the upload', async () => {
    const context = aContext();
    await (await warehouse.open({ pace })).write(context, aSlice(), largePages(), aFence());
    expect(context.requests.some(({ url }) => url.includes('/upload/'))).toBe(true);
    expect(JSON.stringify(context.requests)).not.toContain('upload_id');
  });
});
