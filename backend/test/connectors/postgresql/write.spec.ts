import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Destination, Fence, Page, Row } from '../../../src/connectors/kit/contract.js';
import { CorruptAnswer, LeaseLost, RetryLater } from '../../../src/connectors/kit/errors.js';
import { usualLimits } from '../../../src/connectors/postgresql/connection/transaction.js';
import { postgresqlDestination } from '../../../src/connectors/postgresql/index.js';
import { aContext } from '../context.js';
import { aRow, aSlice, anAccount, campaignDaily, pagesOf, sumRowsByDay, toPage } from '../rows.js';
import { ownNetwork, startWarehouse, type Warehouse } from '../warehouse.js';

let warehouse: Warehouse;
let destination: Destination;
const table = 'google_ads_campaign_daily';

beforeAll(async () => {
  warehouse = await startWarehouse();
});
beforeEach(async () => {
  destination = postgresqlDestination(warehouse.settings, ownNetwork);
  await destination.prepare(aContext(), [campaignDaily]);
});
afterEach(async () => {
  await destination.close();
  await warehouse.query(`DROP TABLE IF EXISTS ${table}, _tributary_runs, _tributary_tables CASCADE`);
});
afterAll(() => warehouse.stop());

const aFence = (overrides: Partial<Fence> = {}): Fence => ({ runId: randomUUID(), leaseEpoch: 1n, ...overrides });
const write = (rows: Row[], fence = aFence(), slice = aSlice()) => destination.write(aContext(), slice, pagesOf(rows), fence);
const stored = (columns = 'campaign_id, impressions') =>
  warehouse.query<Record<string, unknown>>(`SELECT ${columns} FROM ${table} ORDER BY date, campaign_id`);
async function untilOneWaits(): Promise<void> {
  const waiting = `SELECT FROM pg_stat_activity WHERE application_name = 'tributary' AND wait_event_type = 'Lock' AND datname = $1`;
  while ((await warehouse.query(waiting, [warehouse.settings.database])).length === 0) await delay(20);
}
const threeRows = [aRow(), aRow({ campaign_id: 2n }), aRow({ campaign_id: 3n, date: '2026-01-02' })];

describe('atomic writes', () => {
  it('changes nothing when the pages fail, and rethrows the error unchanged', async () => {
    await write(threeRows);
    const failure = new CorruptAnswer({ code: 'test.truncated', message: 'truncated', action: 'none' });
    const failing = (async function* () {
      yield toPage([aRow({ impressions: 999n })]);
      throw failure;
    })();
    await expect(destination.write(aContext(), aSlice(), failing, aFence())).rejects.toBe(failure);
    expect(await stored()).toHaveLength(3);
    expect(await stored('impressions')).not.toContainEqual({ impressions: '999' });
  });

  it('changes nothing when the caller aborts', async () => {
    const controller = new AbortController();
    const stopping = (async function* () {
      yield toPage([aRow()]);
      controller.abort(new Error('stopped by the test'));
      yield toPage([aRow({ campaign_id: 2n })]);
    })();
    await expect(destination.write({ ...aContext(), signal: controller.signal }, aSlice(), stopping, aFence())).rejects.toThrow(
      'stopped by the test',
    );
    expect(await stored()).toEqual([]);
  });

  it('retries later when the server closes the connection before the commit', async () => {
    const broken = (async function* () {
      yield toPage([aRow()]);
      await warehouse.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tributary' AND datname = current_database()`,
      );
      for (let page = 0; page < 50; page++)
        yield toPage(Array.from({ length: 500 }, (_, index) => aRow({ campaign_id: BigInt(page * 500 + index + 2) })));
    })();
    await expect(destination.write(aContext(), aSlice(), broken, aFence())).rejects.toBeInstanceOf(RetryLater);
    expect(await stored()).toEqual([]);
    await expect(write(threeRows)).resolves.toMatchObject({ rowsWritten: 3 });
  });

  it('rejects a slice with a duplicate row', async () => {
    await expect(write([aRow(), aRow()])).rejects.toMatchObject({ name: 'CorruptAnswer', code: 'postgresql.23505' });
    expect(await stored()).toEqual([]);
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
    const paused = (async function* () {
      yield toPage([aRow({ impressions: 1n })]);
      await write([aRow({ impressions: 2n })], { ...fence, leaseEpoch: 2n });
      yield toPage([aRow({ campaign_id: 2n })]);
    })();
    await expect(destination.write(aContext(), aSlice(), paused, fence)).rejects.toBeInstanceOf(LeaseLost);
    expect(await stored()).toEqual([{ campaign_id: '1', impressions: '2' }]);
  });

  it('lets a slice begin while another one of the same worker waits in its transaction', async () => {
    const fence = aFence();
    await write(threeRows, fence);
    const impatient = postgresqlDestination(warehouse.settings, ownNetwork, { ...usualLimits, lockMs: 500 });
    await warehouse.query('BEGIN');
    await warehouse.query(`SELECT FROM ${table} WHERE campaign_id = 1 FOR UPDATE`);
    try {
      const waiting = write([aRow({ impressions: 2n })], fence);
      await untilOneWaits();
      const account = { ...anAccount, externalId: '9001000012' };
      const rows = [aRow({ account_id: account.externalId })];
      await expect(impatient.write(aContext(), aSlice({ account }), pagesOf(rows), fence)).resolves.toMatchObject({
        rowsWritten: 1,
      });
      await warehouse.query('COMMIT');
      await waiting;
    } finally {
      await warehouse.query('ROLLBACK');
      await impatient.close();
    }
    expect(await stored('account_id, impressions')).toEqual(
      expect.arrayContaining([
        { account_id: anAccount.externalId, impressions: '2' },
        { account_id: '9001000012', impressions: '100' },
      ]),
    );
  });

  it('allows concurrent slices of one worker', async () => {
    const fence = aFence();
    const slices = ['1', '2', '3', '4', '5', '6'].map((externalId) => aSlice({ account: { ...anAccount, externalId } }));
    await Promise.all(slices.map((slice) => write([aRow({ account_id: slice.account.externalId })], fence, slice)));
    expect(await stored()).toHaveLength(6);
  });
});

describe('replacing', () => {
  it('does not touch equal rows', async () => {
    await write(threeRows);
    const before = await stored('campaign_id, xmin::text, ctid::text');
    await write(threeRows);
    expect(await stored('campaign_id, xmin::text, ctid::text')).toEqual(before);
  });

  it('updates restated rows, deletes removed ones and adds new ones', async () => {
    await write(threeRows);
    const [, second] = await stored('xmin::text');
    await write([aRow({ impressions: 90n }), aRow({ campaign_id: 2n }), aRow({ campaign_id: 4n, date: '2026-01-03' })]);
    expect(await stored()).toEqual([
      { campaign_id: '1', impressions: '90' },
      { campaign_id: '2', impressions: '100' },
      { campaign_id: '4', impressions: '100' },
    ]);
    expect((await stored('xmin::text'))[1]).toEqual(second);
  });

  it('replaces null with a value and a value with null', async () => {
    await write([aRow({ conversions: null }), aRow({ campaign_id: 2n })]);
    await write([aRow(), aRow({ campaign_id: 2n, conversions: null })]);
    expect(await stored('conversions')).toEqual([{ conversions: 1.5 }, { conversions: null }]);
  });

  it('deletes all rows of the days when the source has none', async () => {
    await write(threeRows);
    await expect(write([])).resolves.toMatchObject({ rowsWritten: 0 });
    expect(await stored()).toEqual([]);
  });

  it('changes no other days or accounts', async () => {
    const other = { ...anAccount, externalId: '9001000012' };
    await write([aRow({ account_id: other.externalId })], aFence(), aSlice({ account: other }));
    await write([aRow({ date: '2026-01-04' })], aFence(), aSlice({ from: '2026-01-04', to: '2026-01-04' }));
    await write([]);
    expect(await stored('account_id, date::text')).toEqual([
      { account_id: other.externalId, date: '2026-01-01' },
      { account_id: anAccount.externalId, date: '2026-01-04' },
    ]);
  });

  it('changes nothing when an outdated row cannot be deleted', async () => {
    await write(threeRows);
    await warehouse.query(
      `CREATE FUNCTION keep_row() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
       CREATE TRIGGER keep BEFORE DELETE ON ${table} FOR EACH ROW WHEN (OLD.campaign_id = 3) EXECUTE FUNCTION keep_row()`,
    );
    try {
      await expect(write([aRow({ impressions: 999n })])).rejects.toMatchObject({
        name: 'RetryLater',
        code: 'postgresql.rows_not_deleted',
        message: `PostgreSQL did not delete every outdated row of "public.${table}". Nothing of the chunk was loaded.`,
      });
      expect(await stored()).toHaveLength(3);
      expect(await stored('impressions')).not.toContainEqual({ impressions: '999' });
    } finally {
      await warehouse.query('DROP FUNCTION keep_row CASCADE');
    }
  });

  it.each(['tab\there', 'line\nbreak', 'carriage\rreturn', 'back\\slash', '\\N', '\\.', `quotes ' " \``, 'Größe 日本 🚀', ''])(
    'preserves the text %j',
    async (text) => {
      await write([aRow({ campaign_name: text })]);
      expect(await stored('campaign_name')).toEqual([{ campaign_name: text }]);
      const before = await stored('xmin::text');
      await write([aRow({ campaign_name: text })]);
      expect(await stored('xmin::text')).toEqual(before);
    },
  );

  it('replaces null bytes with a visible symbol, so that keys stay distinct', async () => {
    await write([aRow({ network: 'ab' }), aRow({ network: 'a\0b', campaign_name: '\0' })]);
    expect(await stored('network, campaign_name')).toEqual([
      { network: 'ab', campaign_name: 'Brand' },
      { network: 'a␀b', campaign_name: '␀' },
    ]);
  });

  it('reports a read-only server with both possible causes, and retries: after a failover it is the primary again', async () => {
    const user = `reader_of_${warehouse.settings.database}`;
    await warehouse.query(`CREATE ROLE ${user} SUPERUSER LOGIN PASSWORD 'reader'`);
    await warehouse.query(`ALTER ROLE ${user} SET default_transaction_read_only = on`);
    const settings = { ...warehouse.settings, user, password: 'reader', tablePrefix: 'other_' };
    const readOnly = postgresqlDestination(settings, ownNetwork);
    try {
      await expect(readOnly.prepare(aContext(), [campaignDaily])).rejects.toMatchObject({
        name: 'RetryLater',
        code: 'postgresql.25006',
        message: `${warehouse.settings.host} is read-only: it is a replica, or the database or user is read-only.`,
        action: 'Enter the host of the primary server, or turn off default_transaction_read_only',
      });
      // A check says that the host is wrong.
      expect((await readOnly.check(aContext())).find(({ state }) => state === 'failed')).toMatchObject({
        code: 'creates_tables',
        failureClass: 'destination',
      });
    } finally {
      await readOnly.close();
      await warehouse.query(`DROP ROLE ${user}`);
    }
  });

  it('preserves numbers exactly', async () => {
    const exact = { cost_micros: 9_007_199_254_740_993n, conversions: 0.1 + 0.2, impressions: -9_223_372_036_854_775_808n };
    await write([aRow(exact)]);
    expect(await stored('cost_micros, conversions, impressions')).toEqual([
      { cost_micros: '9007199254740993', conversions: 0.30000000000000004, impressions: '-9223372036854775808' },
    ]);
  });
});

describe('a table that its owner divided', () => {
  const november = { from: '2026-11-01', to: '2026-11-30' };
  const rowsOf = (month: string, impressions = 100n): Row[] =>
    Array.from({ length: 4 }, (_, index) => aRow({ date: `2026-${month}-0${index + 1}`, impressions }));
  /** Each row with its part of the table, and what changes if the row is written again. */
  const storedParts = (where: string) =>
    warehouse.query(`SELECT tableoid::regclass::text AS part, ctid::text, xmin::text FROM ${table} WHERE ${where} ORDER BY date`);
  const impressions = () =>
    warehouse.query(`SELECT impressions::int, count(*)::int AS rows FROM ${table} GROUP BY impressions ORDER BY impressions`);

  async function divideByMonth(): Promise<void> {
    await warehouse.query(`ALTER TABLE ${table} RENAME TO whole`);
    await warehouse.query(
      `CREATE TABLE ${table} (LIKE whole INCLUDING ALL) PARTITION BY RANGE (date);
       CREATE TABLE whole_october PARTITION OF ${table} FOR VALUES FROM ('2026-10-01') TO ('2026-11-01');
       CREATE TABLE whole_november PARTITION OF ${table} FOR VALUES FROM ('2026-11-01') TO ('2026-12-01');
       COMMENT ON TABLE ${table} IS 'Campaigns by month. Loaded by Tributary.';
       DROP TABLE whole`,
    );
    await destination.prepare(aContext(), [campaignDaily]);
  }

  it('changes no rows of other partitions', async () => {
    await divideByMonth();
    await write(rowsOf('10'), aFence(), aSlice({ from: '2026-10-01', to: '2026-10-31' }));
    await write(rowsOf('11'), aFence(), aSlice(november));
    const october = await storedParts(`date < '2026-11-01'`);
    expect(october.map(({ part }) => part)).toEqual(Array(4).fill('whole_october'));
    const [changed, ...equal] = rowsOf('11');
    await write([{ ...changed, impressions: 999n }, ...equal], aFence(), aSlice(november));
    expect(await storedParts(`date < '2026-11-01'`)).toEqual(october);
    expect(await impressions()).toEqual([
      { impressions: 100, rows: 7 },
      { impressions: 999, rows: 1 },
    ]);
  });

  it('replaces rows of several partitions in one slice', async () => {
    await divideByMonth();
    const both = aSlice({ from: '2026-10-01', to: '2026-11-30' });
    await write([...rowsOf('10'), ...rowsOf('11')], aFence(), both);
    await write([...rowsOf('10', 101n).slice(1), ...rowsOf('11', 102n).slice(2)], aFence(), both);
    expect(await impressions()).toEqual([
      { impressions: 101, rows: 3 },
      { impressions: 102, rows: 2 },
    ]);
  });

  it('changes no rows of other days in a table that inherits from it', async () => {
    await warehouse.query(`CREATE TABLE archive () INHERITS (${table})`);
    await write(rowsOf('10'), aFence(), aSlice({ from: '2026-10-01', to: '2026-10-31' }));
    await warehouse.query(`WITH moved AS (DELETE FROM ONLY ${table} RETURNING *) INSERT INTO archive SELECT * FROM moved`);
    await warehouse.query(`VACUUM FULL ${table}`);
    await write(rowsOf('11'), aFence(), aSlice(november));
    const archived = await storedParts(`date < '2026-11-01'`);
    expect(archived.map(({ part }) => part)).toEqual(Array(4).fill('archive'));
    await write(rowsOf('11', 999n), aFence(), aSlice(november));
    expect(await storedParts(`date < '2026-11-01'`)).toEqual(archived);
    expect(await impressions()).toEqual([
      { impressions: 100, rows: 4 },
      { impressions: 999, rows: 4 },
    ]);
  });

  it('replaces the rows of its days in a table that inherits from it, as the totals count them', async () => {
    await warehouse.query(`CREATE TABLE archive () INHERITS (${table})`);
    await write(rowsOf('11'), aFence(), aSlice(november));
    await warehouse.query(`WITH moved AS (DELETE FROM ONLY ${table} RETURNING *) INSERT INTO archive SELECT * FROM moved`);
    await write(rowsOf('11', 999n), aFence(), aSlice(november));
    expect(await destination.totals(aContext(), aSlice(november))).toMatchObject(sumRowsByDay(rowsOf('11', 999n)));
  });
});

describe('totals', () => {
  it('reflect the table by day, also after a change by another client', async () => {
    await write(threeRows);
    expect(await destination.totals(aContext(), aSlice())).toMatchObject(sumRowsByDay(threeRows));
    await warehouse.query(`DELETE FROM ${table} WHERE campaign_id = 3`);
    expect(await destination.totals(aContext(), aSlice())).toMatchObject(sumRowsByDay(threeRows.slice(0, 2)));
  });
});

describe('a slice too large for memory', () => {
  /** 24 MB: one and a half times the limit. */
  async function* largePages(impressions: bigint): AsyncGenerator<Page> {
    for (let page = 0; page < 12; page++) {
      yield toPage(
        Array.from({ length: 500 }, (_, index) =>
          aRow({ campaign_id: BigInt(page * 500 + index), campaign_name: 'x'.repeat(4_000), impressions }),
        ),
      );
    }
  }
  const writeLarge = (pages: AsyncIterable<Page>) => destination.write(aContext(), aSlice(), pages, aFence());

  it('is loaded, unchanged when written again, and replaced when restated', async () => {
    const count = () =>
      warehouse.query(
        `SELECT count(*)::int AS rows, sum(impressions)::int AS impressions, max(xmin::text::bigint) AS version FROM ${table}`,
      );
    await expect(writeLarge(largePages(1n))).resolves.toMatchObject({ rowsWritten: 6_000 });
    const before = await count();
    expect(before).toMatchObject([{ rows: 6_000, impressions: 6_000 }]);
    await writeLarge(largePages(1n));
    expect(await count()).toEqual(before);
    await writeLarge(largePages(2n));
    expect(await count()).toMatchObject([{ rows: 6_000, impressions: 12_000 }]);
  });

  it('changes nothing when its last page fails', async () => {
    await write(threeRows);
    const failure = new CorruptAnswer({ code: 'test.truncated', message: 'truncated', action: 'none' });
    const failing = (async function* () {
      yield* largePages(1n);
      throw failure;
    })();
    await expect(writeLarge(failing)).rejects.toBe(failure);
    expect(await stored()).toHaveLength(3);
  });
});
