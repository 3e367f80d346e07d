import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../app.js';
import { type Sandbox, startSandbox } from '../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../connectors/warehouse.js';
import { aConnection, anOrganization, type Connection, type Organization } from '../factories.js';
import { endedRun } from '../runs.js';

const GERMANY = '9001000011';
let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;
let organization: Organization;

beforeAll(async () => {
  sandbox = await startSandbox();
  app = await startTestApp({ ROLE: 'all', ...sandboxSettings(sandbox.url) });
  warehouse = await startWarehouse();
  organization = await anOrganization(app);
});
afterAll(async () => {
  await app?.stop();
  await warehouse?.stop();
  await sandbox?.stop();
});
beforeEach(() => sandbox.clearFaults());

const firstRunOf = (connection: Connection) => endedRun(app, organization, connection.id);

describe('reports of Google Ads', () => {
  it('of search terms succeed and show the part of the cost that Google lists', async () => {
    const connection = await aConnection(organization, warehouse, { streams: ['search_term_daily'], accountIds: [GERMANY] });
    const run = await firstRunOf(connection);
    expect(run).toMatchObject({ state: 'succeeded', failure: null });
    for (const { costMicros, totalCostMicros } of run.slices) {
      const share = Number(costMicros) / Number(totalCostMicros);
      // The sandbox hides 20%.
      expect(share).toBeGreaterThan(0.75);
      expect(share).toBeLessThan(0.85);
    }
  });

  it('that equal Google’s totals show no share', async () => {
    const run = await firstRunOf(await aConnection(organization, warehouse, { accountIds: [GERMANY] }));
    expect(run.slices.map(({ totalCostMicros }) => totalCostMicros)).toEqual(run.slices.map(() => null));
  });

  it('that exceed Google’s deadline are requested with fewer days until they arrive', async () => {
    await sandbox.addFault({ fault: 'deadline', mostDays: 10 });
    const connection = await aConnection(organization, warehouse, {
      streams: ['keyword_daily'],
      accountIds: [GERMANY],
      historyDays: 60,
    });
    const run = await firstRunOf(connection);
    expect(run).toMatchObject({ state: 'succeeded', failure: null });
    expect(run.slices.length).toBeGreaterThan(5);
  });
});
