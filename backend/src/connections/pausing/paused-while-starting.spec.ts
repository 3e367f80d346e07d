import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../../test/app.js';
import { type Sandbox, startSandbox } from '../../../test/connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../../test/connectors/warehouse.js';
import { aConnection, anOrganization, type Connection, eventually, expectStatus, type Organization } from '../../../test/factories.js'; // prettier-ignore
import { FollowUps } from '../../sync/run/follow-ups.js';
import { ScheduleDue } from '../schedule/schedule-due.js';

let sandbox: Sandbox;
let warehouse: Warehouse;
let app: TestApp;
let organization: Organization;
let connection: Connection;

beforeAll(async () => {
  [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
  app = await startTestApp(sandboxSettings(sandbox.url));
});
afterAll(async () => {
  await app?.stop();
  await Promise.all([sandbox?.stop(), warehouse?.stop()]);
});
beforeEach(async () => {
  organization = await anOrganization(app);
  connection = await aConnection(organization, warehouse);
  await app.database.query(`update runs set state = 'cancelled', ended_at = now() where connection_id = $1`, [connection.id]);
});

const activeRuns = () => app.database.query('select from runs where connection_id = $1 and ended_at is null', [connection.id]);

const PAUSE = `desired = 'paused'`;
const DELETE = `desired = 'paused', deleted_at = now()`;

/** Starts the work before the change is committed. Commits it once the work waits for it, or has ended without waiting. */
async function whileItIsChanged<Result>(change: string, work: () => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: app.database.ownerUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const [backend] = rows;
    await client.query('begin');
    await client.query(`update connections set ${change} where id = $1`, [connection.id]);
    let hasEnded = false;
    const result = work().finally(() => (hasEnded = true));
    await eventually(
      () => app.database.query('select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))', [backend?.pid]),
      (waiting) => hasEnded || waiting.length > 0,
    );
    await client.query('commit');
    return await result;
  } finally {
    await client.end();
  }
}

describe('a connection that is paused or deleted at the same moment starts no run', () => {
  it.each([PAUSE, DELETE])('by its schedule (%s)', async (change) => {
    await app.database.query(`update connections set next_run_at = now() - interval '1 minute' where id = $1`, [connection.id]);
    await whileItIsChanged(change, () => app.get(ScheduleDue).startDue());
    expect(await activeRuns()).toEqual([]);
  });

  it.each([
    [PAUSE, 409, 'connection.paused'],
    [DELETE, 404, 'not_found'],
  ])('by "Run now" (%s)', async (change, status, code) => {
    const answer = await whileItIsChanged(change, () => organization.call.post(`${connection.path}/run`));
    expect(answer).toMatchObject({ status, body: { code } });
    expect(await activeRuns()).toEqual([]);
  });

  it('by a user who resumes it', async () => {
    expectStatus(await organization.call.post(`${connection.path}/pause`), 200);
    const answer = await whileItIsChanged(DELETE, () => organization.call.post(`${connection.path}/resume`));
    expect(answer.status).toBe(404);
    expect(await app.database.query('select desired from connections where id = $1', [connection.id])).toEqual([
      { desired: 'paused' },
    ]);
    expect(await activeRuns()).toEqual([]);
  });

  it.each([PAUSE, DELETE])('after the run that was active at the request (%s)', async (change) => {
    const [run] = await app.database.query<{ id: string }>(
      `update runs set state = 'succeeded', has_follow_up = true where connection_id = $1 returning id`,
      [connection.id],
    );
    await whileItIsChanged(change, () => app.get(FollowUps).start(organization.id, run?.id ?? ''));
    expect(await activeRuns()).toEqual([]);
    expect(await app.database.query('select has_follow_up as later from runs where id = $1', [run?.id])).toEqual([
      { later: false },
    ]);
  });
});
