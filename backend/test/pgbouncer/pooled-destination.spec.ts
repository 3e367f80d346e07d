import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Destination, Page } from '../../src/connectors/kit/contract.js';
import { postgresqlDestination } from '../../src/connectors/postgresql/index.js';
import { aContext } from '../connectors/context.js';
import { aRow, aSlice, campaignDaily, toPage } from '../connectors/rows.js';
import { ownNetwork, startWarehouse, type Warehouse } from '../connectors/warehouse.js';
import { isInstalled, type PgBouncer, startPgBouncer } from './pgbouncer.js';

const action = 'Enter the host and port of the server itself, or of a pooler in session mode';

describe.runIf(isInstalled)('a destination behind PgBouncer in transaction mode', () => {
  let warehouse: Warehouse;
  let pooler: PgBouncer;
  let destination: Destination;

  beforeAll(async () => {
    warehouse = await startWarehouse();
    const { host, port, database, user, password } = warehouse.settings;
    pooler = await startPgBouncer(`postgresql://${user}:${password}@${host}:${port}/${database}`);
    const pooled = { ...warehouse.settings, host: '127.0.0.1', port: Number(new URL(pooler.url).port) };
    destination = postgresqlDestination(pooled, ownNetwork);
  }, 60_000);
  afterAll(async () => {
    await destination?.close();
    await pooler?.stop();
    await warehouse?.stop();
  });

  it('is rejected by the check', async () => {
    const items = await destination.check(aContext());
    expect(items.find(({ state }) => state === 'failed')).toMatchObject({
      code: 'session',
      detail: expect.stringContaining('is a pooler in transaction mode'),
      action,
    });
  });

  it('fails a slice that is too large for memory before rows change', async () => {
    await destination.prepare(aContext(), [campaignDaily]);
    await openAllSessions();
    await expect(
      destination.write(aContext(), aSlice(), largePages(), { runId: randomUUID(), leaseEpoch: 1n }),
    ).rejects.toMatchObject({ name: 'FixSettings', code: 'postgresql.pooler', action });
    expect(await warehouse.query('SELECT FROM google_ads_campaign_daily')).toEqual([]);
  });

  /** The pooler opens a session when all others are in a transaction. */
  async function openAllSessions(): Promise<void> {
    const clients = [1, 2, 3].map(() => new pg.Client({ connectionString: pooler.url }));
    for (const client of clients) {
      await client.connect();
      await client.query('BEGIN');
    }
    for (const client of clients) await client.query('COMMIT');
    for (const client of clients) await client.end();
  }
});

async function* largePages(): AsyncGenerator<Page> {
  for (let page = 0; page < 12; page++) {
    yield toPage(
      Array.from({ length: 500 }, (_, index) =>
        aRow({ campaign_id: BigInt(page * 500 + index), campaign_name: 'x'.repeat(4_000) }),
      ),
    );
  }
}
