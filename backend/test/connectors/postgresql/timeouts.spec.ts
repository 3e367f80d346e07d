import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import pg from 'pg';
import type { Destination, Page, Stream } from '../../../src/connectors/kit/contract.js';
import { postgresqlDestination } from '../../../src/connectors/postgresql/index.js';
import { usualLimits } from '../../../src/connectors/postgresql/connection/transaction.js';
import { aContext } from '../context.js';
import { aRow, aSlice, campaignDaily, pagesOf, toPage } from '../rows.js';
import { startTcpProxy, type TcpProxy } from '../tcp-proxy.js';
import { ownNetwork, startWarehouse, type Warehouse } from '../warehouse.js';

let warehouse: Warehouse;
const open: Destination[] = [];
const table = 'google_ads_campaign_daily';
const widened: Stream = {
  ...campaignDaily,
  columns: [...campaignDaily.columns, { name: 'added', type: 'text', description: 'Came later.' }],
};
const locked = { name: 'RetryLater', code: 'postgresql.55p03' };
const silent = { name: 'RetryLater', code: 'postgresql.etimedout' };

beforeAll(async () => {
  warehouse = await startWarehouse();
});
beforeEach(async () => {
  await destinationWith().prepare(aContext(), [campaignDaily]);
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((destination) => destination.close()));
  await warehouse.query(`DROP TABLE IF EXISTS ${table}, _tributary_runs, _tributary_tables`);
});
afterAll(() => warehouse.stop());

function destinationWith(limits: Partial<typeof usualLimits> = {}, port = warehouse.settings.port): Destination {
  const destination = postgresqlDestination({ ...warehouse.settings, port }, ownNetwork, { ...usualLimits, ...limits });
  open.push(destination);
  return destination;
}

const write = (destination: Destination, pages: AsyncIterable<Page> = pagesOf([aRow()]), context = aContext()) =>
  destination.write(context, aSlice(), pages, { runId: randomUUID(), leaseEpoch: 1n });

function stoppable() {
  const controller = new AbortController();
  const reason = new Error('stopped by the test');
  return { context: { ...aContext(), signal: controller.signal }, reason, stop: () => controller.abort(reason) };
}

/** More than all network buffers hold. */
async function* manyPages(count = 40): AsyncGenerator<Page> {
  for (let page = 0; page < count; page++) {
    yield toPage(
      Array.from({ length: 500 }, (_, index) =>
        aRow({ campaign_id: BigInt(page * 500 + index), campaign_name: 'x'.repeat(4_000) }),
      ),
    );
  }
}

describe('a table locked by another session', () => {
  let other: pg.Client;
  beforeEach(async () => {
    other = new pg.Client({ ...warehouse.settings, ssl: false });
    await other.connect();
    await other.query('BEGIN');
  });
  afterEach(() => other.end());

  const hold = (mode: string) => other.query(`LOCK TABLE ${table} IN ${mode} MODE`);
  async function untilOneWaits(): Promise<void> {
    const waiting = `SELECT FROM pg_stat_activity WHERE application_name = 'tributary' AND wait_event_type = 'Lock'`;
    while ((await warehouse.query(waiting)).length === 0) await delay(20);
  }

  it('is extended later when a long read locks it, without blocking other readers', async () => {
    await hold('ACCESS SHARE');
    await expect(destinationWith({ tableLockMs: 100 }).prepare(aContext(), [widened])).rejects.toMatchObject(locked);
    await destinationWith().prepare(aContext(), [campaignDaily]);
    await other.query('ROLLBACK');
    await destinationWith().prepare(aContext(), [widened]);
    await expect(warehouse.query(`SELECT added FROM ${table}`)).resolves.toEqual([]);
  });

  it('is loaded and summed later when another session changes it', async () => {
    await hold('ACCESS EXCLUSIVE');
    await expect(write(destinationWith({ lockMs: 100 }))).rejects.toMatchObject(locked);
    await expect(destinationWith({ lockMs: 100 }).totals(aContext(), aSlice())).rejects.toMatchObject(locked);
    await other.query('ROLLBACK');
    await expect(write(destinationWith())).resolves.toMatchObject({ rowsWritten: 1 });
  });

  it.each<[string, (destination: Destination, context: ReturnType<typeof aContext>) => Promise<unknown>]>([
    ['preparing', (destination, context) => destination.prepare(context, [widened])],
    ['loading', (destination, context) => write(destination, pagesOf([aRow()]), context)],
    ['summing', (destination, context) => destination.totals(context, aSlice())],
  ])('is not awaited by %s after the caller aborts', async (_name, work) => {
    await hold('ACCESS EXCLUSIVE');
    const { context, reason, stop } = stoppable();
    const working = work(destinationWith(), context);
    await untilOneWaits();
    stop();
    await expect(working).rejects.toBe(reason);
  });

  it('times out a statement that takes too long', async () => {
    await hold('ACCESS EXCLUSIVE');
    const destination = destinationWith({ statementMs: 100 });
    await expect(destination.totals(aContext(), aSlice())).rejects.toMatchObject({
      name: 'RetryLater',
      code: 'postgresql.57014',
    });
  });
});

describe('a broken network', () => {
  let proxy: TcpProxy;
  beforeEach(async () => {
    proxy = await startTcpProxy(warehouse.settings);
  });
  afterEach(() => proxy.stop());

  /** With an open connection. */
  async function destinationBehind(limits: Partial<typeof usualLimits> = {}): Promise<Destination> {
    const destination = destinationWith(limits, proxy.port);
    await destination.prepare(aContext(), [campaignDaily]);
    return destination;
  }

  it.each<[string, (destination: Destination, context: ReturnType<typeof aContext>) => Promise<unknown>]>([
    ['preparing', (destination, context) => destination.prepare(context, [campaignDaily])],
    ['loading', (destination, context) => write(destination, pagesOf([aRow()]), context)],
    ['summing', (destination, context) => destination.totals(context, aSlice())],
  ])('makes %s retry later, and aborts immediately', async (_name, work) => {
    const [patient, impatient] = [await destinationBehind(), await destinationBehind({ answerMs: 3_000 })];
    proxy.cut();
    const swallowed = proxy.nextSwallowed();
    const { context, reason, stop } = stoppable();
    const working = work(patient, context);
    await swallowed;
    stop();
    await expect(working).rejects.toBe(reason);
    await expect(work(impatient, aContext())).rejects.toMatchObject(silent);
    await Promise.all([patient.close(), impatient.close()]);
  });

  it.each<[string, (destination: Destination) => Promise<unknown>]>([
    ['preparing', (destination) => destination.prepare(aContext(), [campaignDaily])],
    ['loading', (destination) => write(destination)],
    ['summing', (destination) => destination.totals(aContext(), aSlice())],
  ])('is detected by %s within seconds, whatever the statement timeout', async (_name, work) => {
    const destination = await destinationBehind({ answerMs: 600_000, silentMs: 500 });
    proxy.cut();
    const startedAt = performance.now();
    await expect(work(destination)).rejects.toMatchObject(silent);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  it('makes a large slice retry later when it breaks while pages are sent', async () => {
    const [patient, impatient] = [await destinationBehind(), await destinationBehind({ answerMs: 3_000 })];
    const cutting = async function* () {
      let page = 0;
      for await (const next of manyPages()) {
        if (++page === 15) proxy.cut();
        yield next;
      }
    };
    await expect(write(impatient, cutting())).rejects.toMatchObject(silent);
    const { context, reason, stop } = stoppable();
    const swallowed = proxy.nextSwallowed();
    const working = write(patient, manyPages(), context);
    await swallowed;
    stop();
    await expect(working).rejects.toBe(reason);
  });
});

it('waits for a long statement while the server still responds', async () => {
  const destination = destinationWith({ silentMs: 200 });
  const other = new pg.Client({ ...warehouse.settings, ssl: false });
  await other.connect();
  await other.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  const summing = destination.totals(aContext(), aSlice());
  await delay(2_000);
  await other.query('ROLLBACK');
  await other.end();
  await expect(summing).resolves.toEqual([]);
});

it('waits for a slow source without a limit, also during a COPY', async () => {
  const destination = destinationWith({ answerMs: 6_000 });
  const slow = async function* () {
    let page = 0;
    for await (const next of manyPages(12)) {
      if (++page === 10) await delay(7_000);
      yield next;
    }
  };
  await expect(write(destination, slow())).resolves.toMatchObject({ rowsWritten: 6_000 });
});

describe('time limits of the role', () => {
  const roles: string[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((destination) => destination.close()));
    for (const role of roles.splice(0)) await warehouse.query(`DROP ROLE ${role}`);
  });

  async function destinationOf(...settings: string[]): Promise<Destination> {
    const user = `limited_${randomUUID().slice(0, 8)}`;
    roles.push(user);
    await warehouse.query(`CREATE ROLE ${user} SUPERUSER LOGIN PASSWORD 'limited'`);
    for (const setting of settings) await warehouse.query(`ALTER ROLE ${user} SET ${setting}`);
    const destination = postgresqlDestination({ ...warehouse.settings, user, password: 'limited' }, ownNetwork, usualLimits);
    open.push(destination);
    return destination;
  }
  const paused = async function* (count: number, at: number): AsyncGenerator<Page> {
    let page = 0;
    for await (const next of manyPages(count)) {
      if (++page === at) await delay(2_000);
      yield next;
    }
  };

  it('do not end the COPY of a large slice whose source is slow', async () => {
    const destination = await destinationOf(`statement_timeout = '1s'`, `idle_in_transaction_session_timeout = '1s'`);
    await expect(write(destination, paused(12, 10))).resolves.toMatchObject({ rowsWritten: 6_000 });
  });

  it('do not end the session while the first pages are read', async () => {
    const destination = await destinationOf(`idle_session_timeout = '1s'`);
    await expect(write(destination, paused(2, 1))).resolves.toMatchObject({ rowsWritten: 1_000 });
  });
});
