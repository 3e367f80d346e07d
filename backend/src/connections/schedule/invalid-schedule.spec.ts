import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../../test/app.js';
import { type Sandbox, startSandbox } from '../../../test/connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../../test/connectors/warehouse.js';
import { aConnection, anOrganization, type Connection, eventually, type Organization } from '../../../test/factories.js';
import type { RunPage } from '../../sync/api/runs.dto.js';
import type { ConnectionEntry } from '../connections.dto.js';
import { ScheduleDue } from './schedule-due.js';

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;

beforeAll(async () => {
  sandbox = await startSandbox();
  app = await startTestApp({ ROLE: 'all', ...sandboxSettings(sandbox.url) });
});
afterAll(async () => {
  await app?.stop();
  await sandbox?.stop();
});
beforeEach(async () => {
  warehouse = await startWarehouse();
});
afterEach(() => warehouse.stop());

interface Scheduled {
  organization: Organization;
  connection: Connection;
}

/** A connection that has run once and is overdue by the given minutes. */
async function aDueConnection(schedule: object, dueMinutes: number): Promise<Scheduled> {
  const organization = await anOrganization(app);
  const connection = await aConnection(organization, warehouse, { historyDays: 5 });
  await eventually(
    async () => (await organization.call.get<ConnectionEntry>(connection.path)).body,
    ({ activeRun, lastRun }) => !activeRun && lastRun !== null,
  );
  await app.database.query(
    `update connections set schedule = $2, next_run_at = now() - make_interval(mins => $3) where id = $1`,
    [connection.id, JSON.stringify(schedule), dueMinutes],
  );
  return { organization, connection };
}

async function kindsOfRuns({ organization, connection }: Scheduled): Promise<string[]> {
  const { body } = await organization.call.get<RunPage>(`${organization.path}/runs?connectionId=${connection.id}`);
  return body.items.map(({ kind }) => kind);
}

async function minutesToNextRun({ connection }: Scheduled): Promise<number> {
  const [next] = await app.database.query<{ minutes: number }>(
    `select extract(epoch from next_run_at - now())::float8 / 60 as minutes from connections where id = $1`,
    [connection.id],
  );
  return next?.minutes ?? Number.NaN;
}

describe('a schedule whose next run cannot be computed', () => {
  it.each([
    ['a time zone that this server does not know', { kind: 'daily', atTime: '07:00', timeZone: 'Atlantis/Capital' }],
    ['an interval without its length', { kind: 'interval', timeZone: 'UTC' }],
  ])('starts its run, is computed again in an hour, and does not affect other organizations: %s', async (_, broken) => {
    const first = await aDueConnection(broken, 10);
    const second = await aDueConnection({ kind: 'interval', everyMinutes: 60, timeZone: 'UTC' }, 5);
    await app.get(ScheduleDue).startDue();
    expect(await kindsOfRuns(second)).toEqual(['scheduled', 'manual']);
    expect(await minutesToNextRun(second)).toBeGreaterThan(55);
    expect(await kindsOfRuns(first)).toEqual(['scheduled', 'manual']);
    expect(await minutesToNextRun(first)).toBeGreaterThan(55);
    expect(await minutesToNextRun(first)).toBeLessThanOrEqual(60);
  });
});
