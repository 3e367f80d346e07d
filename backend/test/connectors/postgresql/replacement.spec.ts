import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Destination, Fence, Row, Stream, TableReplacement, Target } from '../../../src/connectors/kit/contract.js';
import { LeaseLost, RetryLater } from '../../../src/connectors/kit/errors.js';
import { usualLimits } from '../../../src/connectors/postgresql/connection/transaction.js';
import { postgresqlDestination } from '../../../src/connectors/postgresql/index.js';
import { aContext } from '../context.js';
import { aRow, aSlice, anAccount, campaignDaily, pagesOf } from '../rows.js';
import { ownNetwork, startWarehouse, type Warehouse } from '../warehouse.js';

const TABLE = 'google_ads_campaign_daily';
const beside: Stream = { ...campaignDaily, table: `${campaignDaily.table}_n1a2b3c` };
const FROM = '2026-01-01';

let warehouse: Warehouse;
let destination: Destination;
let replacement: TableReplacement;
let fence: Fence;
let target: Target;

beforeAll(async () => {
  warehouse = await startWarehouse();
});
afterAll(() => warehouse.stop());
beforeEach(async () => {
  destination = postgresqlDestination(warehouse.settings, ownNetwork, { ...usualLimits, lockMs: 500, tableLockMs: 200 });
  if (!destination.replacement) throw new Error('PostgreSQL replaces tables');
  replacement = destination.replacement;
  fence = { runId: randomUUID(), leaseEpoch: 2n };
  await destination.prepare(aContext(), [campaignDaily]);
  await write(campaignDaily, [aRow({ impressions: 1n }), aRow({ campaign_id: 2n, impressions: 1n })]);
  const prepared = (await destination.prepare(aContext(), [beside])).get(beside.name);
  if (!prepared) throw new Error('the new table has a target');
  target = prepared;
  await write(beside, [aRow({ impressions: 7n })]);
});
afterEach(async () => {
  await destination.close();
  await warehouse.query(`DROP TABLE IF EXISTS ${TABLE}, ${beside.table}, _tributary_runs, _tributary_tables CASCADE`);
  await warehouse.query(`DROP TABLE IF EXISTS ${TABLE}_n1a2b3c CASCADE`);
});

const write = (stream: Stream, rows: Row[]) => destination.write(aContext(), { ...aSlice(), stream }, pagesOf(rows), fence);
const swap = (given = fence) =>
  replacement.swap(
    aContext(),
    { stream: campaignDaily, beside, loaded: [{ accountId: anAccount.externalId, from: FROM, to: '2026-12-31' }] },
    given,
  );
const stored = (columns = 'campaign_id, impressions') =>
  warehouse.query<Record<string, unknown>>(`SELECT ${columns} FROM ${TABLE} ORDER BY date, campaign_id`);
const OLD_ROWS = [
  { campaign_id: '1', impressions: '1' },
  { campaign_id: '2', impressions: '1' },
];

describe('a swap', () => {
  it('is rejected for a worker that lost the run, and changes nothing', async () => {
    await expect(swap({ ...fence, leaseEpoch: 1n })).rejects.toBeInstanceOf(LeaseLost);
    expect(await stored()).toEqual(OLD_ROWS);
    expect(await replacement.isSwapped(aContext(), { stream: campaignDaily, beside }, target)).toBe(false);
  });

  it('is made by a worker that took over the run and wrote no slice', async () => {
    await swap({ ...fence, leaseEpoch: 3n });
    expect(await stored()).toEqual([{ campaign_id: '1', impressions: '7' }]);
  });

  it('is recognized afterwards, also by its name in the next preparation', async () => {
    const swapped = await swap();
    expect(await stored()).toEqual([{ campaign_id: '1', impressions: '7' }]);
    expect(await replacement.isSwapped(aContext(), { stream: campaignDaily, beside }, target)).toBe(true);
    expect((await destination.prepare(aContext(), [campaignDaily])).get(campaignDaily.name)).toEqual(swapped);
    // A late worker drops or swaps nothing: the new table has another name now.
    await replacement.drop(aContext(), beside);
    await expect(swap({ ...fence, leaseEpoch: 1n })).rejects.toBeInstanceOf(LeaseLost);
    expect(await stored()).toEqual([{ campaign_id: '1', impressions: '7' }]);
  });

  it('is rolled back and repeated while a reader holds the table', async () => {
    await warehouse.query('BEGIN');
    await warehouse.query(`SELECT count(*) FROM ${TABLE}`);
    const refusal = await swap().catch((error: unknown) => error);
    await warehouse.query('COMMIT');
    expect(refusal).toBeInstanceOf(RetryLater);
    expect(await stored()).toEqual(OLD_ROWS);
    await swap();
    expect(await stored()).toEqual([{ campaign_id: '1', impressions: '7' }]);
  });

  it('keeps columns of users, their values in copied rows, and the comment', async () => {
    await warehouse.query(`ALTER TABLE ${TABLE} ADD COLUMN note text DEFAULT 'ours'`);
    await warehouse.query(`COMMENT ON TABLE ${TABLE} IS 'Read by finance'`);
    await warehouse.query(`UPDATE ${TABLE} SET account_id = 'other', note = 'kept' WHERE campaign_id = 2`);
    await swap();
    expect(await stored('campaign_id, note')).toEqual([
      { campaign_id: '1', note: 'ours' },
      { campaign_id: '2', note: 'kept' },
    ]);
    const [row] = await warehouse.query(`SELECT obj_description('${TABLE}'::regclass) AS comment`);
    expect(row).toEqual({ comment: 'Read by finance' });
  });

  it('is rejected if a copied value does not fit the type of its column', async () => {
    await warehouse.query(`ALTER TABLE ${TABLE} ALTER COLUMN impressions TYPE text USING 'many'`);
    await warehouse.query(`UPDATE ${TABLE} SET account_id = 'other'`);
    const inspected = await replacement.inspect(aContext(), campaignDaily);
    expect(inspected?.columns).not.toHaveProperty('impressions');
    expect(inspected?.columns).toHaveProperty('clicks');
    await expect(swap()).rejects.toMatchObject({ code: 'resync.refused' });
    expect(await stored('impressions')).toEqual([{ impressions: 'many' }, { impressions: 'many' }]);
  });

  it.each([
    ['a trigger', `CREATE TRIGGER t BEFORE UPDATE ON ${TABLE} FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()`, 'the trigger t'],
    ['a constraint', `ALTER TABLE ${TABLE} ADD CONSTRAINT c CHECK (clicks >= 0)`, 'the constraint c'],
    ['row-level security', `ALTER TABLE ${TABLE} ENABLE ROW LEVEL SECURITY`, 'row-level security'],
    ['a missing column of the key', `ALTER TABLE ${TABLE} DROP COLUMN campaign_id`, 'its column campaign_id is missing'],
  ])('is rejected before anything is loaded if the table has %s', async (_what, sql, reason) => {
    await warehouse.query(sql);
    const failure = await replacement.inspect(aContext(), campaignDaily).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'resync.refused' });
    expect((failure as Error).message).toContain(reason);
  }); // prettier-ignore

  describe('with an index that takes long to create', () => {
    const swapWithin = async (limits: Partial<typeof usualLimits>) => {
      await warehouse.query(
        `CREATE FUNCTION slow(text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS 'BEGIN PERFORM pg_sleep(0.5); RETURN $1; END'`,
      );
      await warehouse.query(`CREATE INDEX slow_index ON ${TABLE} (slow(campaign_name))`);
      await destination.close();
      destination = postgresqlDestination(warehouse.settings, ownNetwork, { ...usualLimits, ...limits });
      replacement = destination.replacement as TableReplacement;
      return swap();
    };
    afterEach(() => warehouse.query('DROP FUNCTION slow CASCADE'));

    it('waits longer than for other statements', async () => {
      await swapWithin({ statementMs: 300 });
      expect(await stored()).toEqual([{ campaign_id: '1', impressions: '7' }]);
    });

    it('is rejected with the reason, because a repetition would take as long', async () => {
      const failure = await swapWithin({ completionMs: 100 }).catch((error: unknown) => error);
      expect(failure).toMatchObject({
        code: 'resync.refused',
        action: 'Re-sync again when the server has less load, or delete rows and indexes of the table that are not needed',
      });
      expect((failure as Error).message).toContain('because of its index slow_index');
      expect(await stored()).toEqual(OLD_ROWS);
    });
  });

  it('keeps the options of a view, and is rejected if the types of its columns change', async () => {
    await warehouse.query(`CREATE VIEW barrier WITH (security_barrier = true) AS SELECT campaign_id FROM ${TABLE}`);
    await swap();
    const [view] = await warehouse.query(`SELECT reloptions AS options, (SELECT count(*)::int FROM barrier) AS rows FROM pg_class WHERE relname = 'barrier'`); // prettier-ignore
    expect(view).toEqual({ options: ['security_barrier=true'], rows: 1 });
    await destination.prepare(aContext(), [beside]);
    await warehouse.query('DROP VIEW barrier');
    await warehouse.query(`ALTER TABLE ${TABLE} ALTER COLUMN clicks TYPE integer USING clicks::integer`);
    await warehouse.query(`CREATE VIEW narrow AS SELECT clicks FROM ${TABLE}`);
    await expect(swap()).rejects.toMatchObject({ code: 'resync.refused' });
    expect(await stored()).toEqual([{ campaign_id: '1', impressions: '7' }]);
    await warehouse.query('DROP VIEW narrow');
  });
});

describe('the table of a user without superuser rights', () => {
  let roles: { user: string; analyst: string };
  let own: Destination;

  beforeEach(async () => {
    const suffix = randomUUID().slice(0, 8);
    roles = { user: `loader_${suffix}`, analyst: `analyst_${suffix}` };
    await warehouse.query(`DROP TABLE ${TABLE}, ${beside.table}, _tributary_runs, _tributary_tables`);
    await warehouse.query(`CREATE ROLE ${roles.user} LOGIN PASSWORD 'test'`);
    await warehouse.query(`CREATE ROLE ${roles.analyst}`);
    await warehouse.query(`GRANT CREATE, USAGE ON SCHEMA public TO ${roles.user}, ${roles.analyst}`);
    own = postgresqlDestination({ ...warehouse.settings, user: roles.user, password: 'test' }, ownNetwork, usualLimits);
    await own.prepare(aContext(), [campaignDaily, beside]);
    await own.write(aContext(), { ...aSlice(), stream: beside }, pagesOf([aRow({ impressions: 7n })]), fence);
    await warehouse.query(`GRANT SELECT ON ${TABLE} TO ${roles.analyst}`);
    await warehouse.query(`CREATE VIEW analysis AS SELECT campaign_id, impressions FROM ${TABLE}`);
    await warehouse.query(`ALTER VIEW analysis OWNER TO ${roles.analyst}`);
  });
  afterEach(async () => {
    await own.close();
    for (const role of [roles.user, roles.analyst]) await warehouse.query(`DROP OWNED BY ${role} CASCADE`);
    await warehouse.query(`DROP ROLE ${roles.user}, ${roles.analyst}`);
  });

  it('is rejected before anything is loaded if another role owns a view of it', async () => {
    const refusal = await own.replacement?.inspect(aContext(), campaignDaily).catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      code: 'resync.refused',
      action: `Grant the role ${roles.analyst} to the user ${roles.user}, or drop the view, then re-sync again`,
    });
    expect((refusal as Error).message).toContain(`the view public.analysis belongs to the role ${roles.analyst}`);
  });

  it('is replaced once the user is a member of that role', async () => {
    await warehouse.query(`GRANT ${roles.analyst} TO ${roles.user}`);
    await expect(own.replacement?.inspect(aContext(), campaignDaily)).resolves.not.toBeNull();
    const loaded = [{ accountId: anAccount.externalId, from: FROM, to: '2026-12-31' }];
    await own.replacement?.swap(aContext(), { stream: campaignDaily, beside, loaded }, fence);
    expect(await warehouse.query('SELECT * FROM analysis')).toEqual([{ campaign_id: '1', impressions: '7' }]);
    const [view] = await warehouse.query(`SELECT viewowner AS owner FROM pg_views WHERE viewname = 'analysis'`);
    expect(view).toEqual({ owner: roles.analyst });
  });

  it('is rejected before anything is loaded if the schema of a view accepts no objects of the user', async () => {
    await warehouse.query(`GRANT ${roles.analyst} TO ${roles.user}`);
    await warehouse.query(`CREATE SCHEMA closed`);
    await warehouse.query('ALTER VIEW analysis SET SCHEMA closed');
    const refusal = await own.replacement?.inspect(aContext(), campaignDaily).catch((error: unknown) => error);
    await warehouse.query('DROP SCHEMA closed CASCADE');
    expect(refusal).toMatchObject({ code: 'resync.refused' });
    expect((refusal as Error).message).toContain(
      'the view closed.analysis is in a schema in which the user cannot create objects',
    );
  });
});
