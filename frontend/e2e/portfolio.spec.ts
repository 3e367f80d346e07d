import { expect } from '@playwright/test';
import pg from 'pg';
import { get, signInDemo } from './support/demo-calls.ts';
import { instance } from './support/instance.ts';
import { test } from './support/portfolio.ts';

interface Entry {
  id: string;
  name: string;
  health: string;
  destination: { provider: string; target: string };
  streams: { name: string; targetTable: string }[];
}

interface Run {
  id: string;
  state: string;
  queuedAt: string;
  rowsRead: number;
}

interface Slice {
  stream: string;
  accountId: string;
  from: string;
  to: string;
  rows: number;
  costMicros: string;
}

const HEALTHS = ['needs_reauth', 'failing', 'stale', 'partial', 'unverified', 'rate_limited', 'backfilling', 'healthy', 'paused'];

let token: string;
test.beforeEach(async () => {
  token = await signInDemo();
});

const listConnections = async () => (await get<{ items: Entry[] }>(token, 'connections?limit=50')).items;
const listRuns = async (id: string, query = '') =>
  (await get<{ items: Run[] }>(token, `runs?connectionId=${id}&limit=100${query}`)).items;

test('the demo has connections in every health, of all sources and destinations', async () => {
  await expect
    .poll(async () => [...new Set((await listConnections()).map(({ health }) => health))].sort())
    .toEqual([...HEALTHS].sort());
  const connections = await listConnections();
  expect(connections).toHaveLength(12);
  expect([...new Set(connections.map(({ destination }) => destination.provider))].sort()).toEqual([
    'bigquery',
    'mixpanel',
    'postgresql',
  ]);
});

test('the demo tour still shows the connection that its faults change', async ({ page }) => {
  await page.goto(`${instance().url}/demo`);
  await expect(page.getByRole('heading', { name: 'Google Ads to warehouse' })).toBeVisible();
});

test('each connection that has loaded its history has a run on each of 90 days', async () => {
  const first = new Date(Date.now() - 89 * 86_400_000).toISOString();
  for (const { id, name, health } of await listConnections()) {
    if (health === 'backfilling') continue;
    const days = new Set((await listRuns(id)).map(({ queuedAt }) => queuedAt.slice(0, 10)));
    // The stale one has not run for three days.
    expect(days.size, name).toBeGreaterThanOrEqual(health === 'stale' ? 87 : 90);
    expect([...days].sort()[0]! <= first.slice(0, 10), name).toBe(true);
  }
});

test('the figures of past runs are those of the rows in the warehouse', async () => {
  const warehouse = new pg.Client({ connectionString: instance().warehouseUrl });
  await warehouse.connect();
  let compared = 0;
  const connections = await listConnections();
  // Rows that the warehouse has lost since are not there: that is what the failing connection shows.
  const loaded = connections.filter(({ health, destination }) => destination.provider === 'postgresql' && health !== 'failing');
  for (const { id, name, destination, streams } of loaded) {
    const past = (await listRuns(id)).filter(({ rowsRead }) => rowsRead > 0);
    for (const { id: runId } of [past[10]!, past[45]!, past.at(-1)!]) {
      const { slices, rowsRead } = await get<{ slices: Slice[]; rowsRead: number }>(token, `runs/${runId}`);
      expect(slices.reduce((sum, { rows }) => sum + rows, 0)).toBe(rowsRead);
      for (const { stream, accountId, from, to, rows, costMicros } of slices) {
        const table = streams.find((one) => one.name === stream)!.targetTable;
        const { rows: found } = await warehouse.query(
          `select count(*)::float8 as rows, coalesce(sum(cost_micros), 0)::text as "costMicros"
             from ${pg.escapeIdentifier(destination.target.split('.').at(-1)!)}.${pg.escapeIdentifier(table)}
            where account_id = $1 and date between $2 and $3`,
          [accountId, from, to],
        );
        expect(found[0], `${name}, ${stream} of ${accountId}, ${from} to ${to}`).toEqual({ rows, costMicros });
        compared += 1;
      }
    }
  }
  await warehouse.end();
  expect(compared).toBeGreaterThan(40);
});
