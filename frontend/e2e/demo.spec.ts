import { expect, test } from '@playwright/test';
import pg from 'pg';
import { signInDemo } from './support/demo-calls.ts';
import { demo, instance } from './support/instance.ts';

interface Sums {
  rows: number;
  costMicros: string;
  clicks: number;
  impressions: number;
}

interface DemoConnection {
  historyFrom: string;
  activeRun: object | null;
  lastRun: { state: string; startedAt: string | null; verify: { rows: boolean; cost: boolean } } | null;
  source: { accounts: { externalId: string; timeZone: string }[] };
  streams: { name: string; isSelected: boolean; targetTable: string }[];
}

/** The sums of each table and account in the warehouse, and the expected sums from the sandbox. */
async function compareSums(connection: DemoConnection): Promise<{ found: Sums[]; expected: Sums[] }> {
  const warehouse = new pg.Client({ connectionString: instance().warehouseUrl });
  await warehouse.connect();
  const found: Sums[] = [];
  const expected: Sums[] = [];
  for (const { externalId } of connection.source.accounts) {
    const query = new URLSearchParams({ customerId: externalId, from: connection.historyFrom, to: '2100-01-01' });
    const totals = await fetch(`${instance().sandboxUrl}/admin/google-ads/totals?${query}`);
    const { streams } = (await totals.json()) as { streams: Record<string, Sums> };
    for (const { name, targetTable } of connection.streams.filter(({ isSelected }) => isSelected)) {
      const { rows } = await warehouse.query<Sums>(
        `select count(*)::int as rows, sum(cost_micros)::text as "costMicros", sum(clicks)::int as clicks,
                sum(impressions)::int as impressions
           from ${targetTable} where account_id = $1`,
        [externalId],
      );
      found.push(rows[0] as Sums);
      expected.push(streams[name] as Sums);
    }
  }
  await warehouse.end();
  return { found, expected };
}

/** Whether a day began in the time zone of an account since the last run. The tests may run at any hour. */
function hasNewDay({ lastRun, source }: DemoConnection): boolean {
  const at = new Date(lastRun?.startedAt ?? 0);
  return source.accounts.some(({ timeZone }) => dayInTimeZone(at, timeZone) !== dayInTimeZone(new Date(), timeZone));
}

const dayInTimeZone = (at: Date, timeZone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(at);

test('the demo loads 400 days of 4 accounts with exact sums, and a second run changes nothing', async ({ request }) => {
  const path = `${instance().url}/api/v1/organizations/${demo().organizationId}/connections/${demo().connectionId}`;
  const headers = { Authorization: `Bearer ${await signInDemo()}` };
  const read = async (): Promise<DemoConnection> => (await request.get(path, { headers })).json() as Promise<DemoConnection>;
  const hasEnded = async () => {
    const { activeRun, lastRun } = await read();
    return activeRun === null ? (lastRun?.state ?? 'not yet') : 'running';
  };

  const runAgain = async () => {
    expect((await request.post(`${path}/run`, { headers })).status()).toBe(202);
    await expect.poll(hasEnded).toBe('succeeded');
  };

  await expect.poll(hasEnded).toBe('succeeded');
  if (hasNewDay(await read())) await runAgain();
  const connection = await read();
  expect(connection.lastRun?.verify).toMatchObject({ rows: true, cost: true });
  expect(await (await request.get(`${path}/completeness`, { headers })).json()).toMatchObject({ isComplete: true, missing: 0 });
  const first = await compareSums(connection);
  expect(first.found).toEqual(first.expected);
  expect(first.found).toHaveLength(12);

  await runAgain();
  expect((await compareSums(connection)).found).toEqual(first.found);
});

async function queryDatabase(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    return (await client.query<Record<string, unknown>>(sql)).rows[0];
  } catch (error) {
    return (error as { code?: unknown }).code;
  } finally {
    await client.end();
  }
}

test('the public demo role is not a superuser and cannot access the product’s database', async ({ request }) => {
  const config = (await (await request.get(`${instance().url}/config.json`)).json()) as { demoWarehouseUrl: string };
  const rights = 'select rolsuper, rolcreaterole, rolcreatedb from pg_roles where rolname = current_user';
  const none = { rolsuper: false, rolcreaterole: false, rolcreatedb: false };
  expect(await queryDatabase(config.demoWarehouseUrl, rights)).toEqual(none);
  const product = Object.assign(new URL(config.demoWarehouseUrl), { pathname: new URL(instance().databaseUrl).pathname });
  expect(await queryDatabase(product.href, 'select 1')).toBe('42501');
  expect(await queryDatabase(instance().databaseUrl, rights)).toEqual(none);
  expect(await queryDatabase(instance().databaseUrl, 'drop table audit_events')).toBe('42501');
});
