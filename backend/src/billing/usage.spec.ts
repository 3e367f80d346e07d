import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../test/app.js';
import { anOrganization, expectStatus, type Organization } from '../../test/factories.js';
import { aTestOrganization } from '../../test/permission-matrix/test-organization.js';
import type { Usage } from './billing.dto.js';

const ZONE = 'America/New_York';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.stop());

/** A run that ended at a local time in New York, the given number of days ago. */
async function aRun(organizationId: string, connectionId: string, daysAgo: number, clock: string, rows: number): Promise<void> {
  await app.database.query(
    `insert into runs (organization_id, id, connection_id, kind, trigger, state, rows_written, ended_at)
     values ($1, $2, $3, 'manual', 'user', 'succeeded', $4,
             ((now() at time zone '${ZONE}')::date - $5::int + $6::time) at time zone '${ZONE}')`,
    [organizationId, randomUUID(), connectionId, rows, daysAgo, clock],
  );
}

const dayOf = async (daysAgo: number): Promise<string> =>
  (
    await app.database.query<{ day: string }>(`select ((now() at time zone '${ZONE}')::date - $1::int)::text as day`, [daysAgo])
  )[0]!.day;

const usageOf = async ({ call, path }: Organization): Promise<Usage> =>
  expectStatus(await call.get<Usage>(`${path}/usage`), 200).body;

it('counts rows on the day of the run’s end in the organization’s time zone, not in UTC', async () => {
  const side = await aTestOrganization(app, 'usage');
  const organization = await anOrganization(app);
  // Uses the connection of another organization.
  const connectionId = String(side.values['connectionId']);
  const other: Organization = {
    id: side.organizationId,
    owner: side.members.owner,
    path: `/api/v1/organizations/${side.organizationId}`,
    call: app.http.as(side.members.owner),
  };
  await app.database.query('update organizations set time_zone = $2 where id = $1', [side.organizationId, ZONE]);
  const runs: [daysAgo: number, clock: string, rows: number][] = [
    [30, '23:59:59', 1],
    [29, '00:00:00', 2],
    [6, '23:59:59', 10],
    [5, '00:00:00', 100],
    // The next UTC day starts at 19:00 or 20:00 in New York.
    [5, '18:30:00', 1_000],
    [5, '20:30:00', 10_000],
    [5, '23:59:59', 100_000],
    [4, '00:00:00', 1_000_000],
  ];
  for (const [daysAgo, clock, rows] of runs) await aRun(other.id, connectionId, daysAgo, clock, rows);

  const { rowsByDay } = await usageOf(other);
  expect(rowsByDay).toHaveLength(30);
  expect(rowsByDay[0]?.date).toBe(await dayOf(29));
  expect(rowsByDay.at(-1)?.date).toBe(await dayOf(0));
  expect(Object.fromEntries(rowsByDay.filter(({ rows }) => rows > 0).map(({ date, rows }) => [date, rows]))).toEqual({
    [await dayOf(29)]: 2,
    [await dayOf(6)]: 10,
    [await dayOf(5)]: 111_100,
    [await dayOf(4)]: 1_000_000,
  });
  expect((await usageOf(organization)).rowsByDay.every(({ rows }) => rows === 0)).toBe(true);
});

it('leaves out the connections and sources of payments, as the lists do', async () => {
  const { organizationId, members, values } = await aTestOrganization(app, 'payments');
  const call = app.http.as(members.owner);
  const path = `/api/v1/organizations/${organizationId}`;
  const shown = async () => {
    const usage = expectStatus(await call.get<Usage>(`${path}/usage`), 200).body;
    return [usage.connections.used, usage.sources];
  };
  const listed = async () =>
    Promise.all(
      ['connections', 'sources'].map(
        async (kind) => expectStatus(await call.get<{ items: unknown[] }>(`${path}/${kind}`), 200).body.items.length,
      ),
    );
  expect(await shown()).toEqual(await listed());
  await app.database.query('update connections set payment_id = $2 where organization_id = $1', [
    organizationId,
    values['paymentId'],
  ]);
  expect(await listed()).toEqual([0, 1]);
  expect(await shown()).toEqual([0, 1]);
});
