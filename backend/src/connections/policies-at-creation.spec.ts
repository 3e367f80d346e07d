import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../test/app.js';
import { type Sandbox, startSandbox } from '../../test/connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../test/connectors/warehouse.js';
import { aDestination, anOrganization, aSource, daysAgo, expectStatus, type Organization } from '../../test/factories.js';
import { SyncQueries } from '../sync/ledger/sync.queries.js';
import type { ConnectionEntry } from './connections.dto.js';

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;
let organization: Organization;
let parts: object;

beforeAll(async () => {
  sandbox = await startSandbox();
  app = await startTestApp(sandboxSettings(sandbox.url));
  warehouse = await startWarehouse();
});
afterAll(() => Promise.all([app?.stop(), sandbox?.stop(), warehouse?.stop()]));
beforeEach(async () => {
  organization = await anOrganization(app);
  parts = { sourceId: await aSource(organization), destinationId: await aDestination(organization, warehouse) };
});

const create = (policies: object) =>
  organization.call.post<ConnectionEntry>(`${organization.path}/connections`, {
    ...parts,
    name: 'Search to warehouse',
    streams: ['campaign_daily'],
    schedule: { kind: 'manual', timeZone: 'UTC' },
    historyFrom: daysAgo(3),
    ...policies,
  });

/** What a worker reads before it starts the first run. */
const settingsOfFirstRun = ({ activeRun }: ConnectionEntry) =>
  app.get(SyncQueries).getRunConnection(organization.id, activeRun?.runId ?? '');

it('a connection is created with its policies, and its first run uses them', async () => {
  const policies = { schemaPolicy: 'approve', emptyPolicy: 'allow_empty' };
  const { body } = expectStatus(await create(policies), 201);
  expect(body).toMatchObject({ ...policies, version: 1 });
  expect(await settingsOfFirstRun(body)).toMatchObject(policies);
});

it('a connection without policies adds new columns and expects rows', async () => {
  const { body } = expectStatus(await create({}), 201);
  const defaults = { schemaPolicy: 'propagate_columns', emptyPolicy: 'expect_rows' };
  expect(body).toMatchObject(defaults);
  expect(await settingsOfFirstRun(body)).toMatchObject(defaults);
});

it('a copy of a connection has the policies that the original was created with', async () => {
  const policies = { schemaPolicy: 'pause', emptyPolicy: 'allow_empty' };
  const { body } = expectStatus(await create(policies), 201);
  const copy = organization.call.post<ConnectionEntry>(`${organization.path}/connections/${body.id}/clone`, { name: 'Copy' });
  expect(expectStatus(await copy, 201).body).toMatchObject(policies);
});

it.each([
  ['schemaPolicy', 'always'],
  ['schemaPolicy', null],
  ['emptyPolicy', 'sometimes'],
  ['emptyPolicy', null],
])('rejects the %s %s', async (field, value) => {
  expect(expectStatus(await create({ [field]: value }), 400).body).toMatchObject({ errors: [{ field }] });
});
