import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sandboxSettings, startTestApp, type TestApp } from '../../test/app.js';
import { type Sandbox, startSandbox } from '../../test/connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../test/connectors/warehouse.js';
import { aConnection, anOrganization, type Connection, daysAgo, eventually, type Organization } from '../../test/factories.js';
import type { RunDetail } from './runs.dto.js';

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;
let organization: Organization;

beforeAll(async () => {
  sandbox = await startSandbox();
  app = await startTestApp({ ROLE: 'all', ...sandboxSettings(sandbox.url) });
}, 60_000);
afterAll(async () => {
  await app?.stop();
  await sandbox?.stop();
});
beforeEach(async () => {
  await sandbox.clearFaults();
  warehouse = await startWarehouse();
  organization = await anOrganization(app);
});
afterEach(() => warehouse.stop());

const ended = ['succeeded', 'partial', 'unverified', 'failed', 'cancelled'];
const runOf = async (connection: Connection): Promise<RunDetail> => {
  const { body } = await organization.call.get<{ items: { id: string }[] }>(
    `${organization.path}/runs?connectionId=${connection.id}&limit=1`,
  );
  return (await organization.call.get<RunDetail>(`${organization.path}/runs/${body.items[0]?.id}`)).body;
};
const endedRun = (connection: Connection): Promise<RunDetail> =>
  eventually(
    () => runOf(connection),
    (run) => ended.includes(run.state),
    60_000,
  );

describe('a run', () => {
  it('brings every row, and is green because both ends count the same', async () => {
    const connection = await aConnection(organization, warehouse);
    const run = await endedRun(connection);
    expect(run.failure).toBeNull();
    expect(run.state).toBe('succeeded');
    const expected = await sandbox.totals('9001000011', daysAgo(40), daysAgo(-1));
    const [found] = await warehouse.query<{ rows: number; cost: string }>(
      'select count(*)::int as rows, sum(cost_micros)::text as cost from google_ads_campaign_daily',
    );
    expect(found).toEqual({ rows: expected['campaign_daily']?.rows, cost: expected['campaign_daily']?.costMicros });
  });
});
