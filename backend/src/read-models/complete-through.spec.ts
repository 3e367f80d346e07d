import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../test/app.js';
import { anOrganization, type Connection, daysAgo, type Organization } from '../../test/factories.js';
import { aStoredConnection, BERLIN, readDays } from '../../test/freshness.js';
import { Connectors } from '../catalog/index.js';
import { addDays, listDays } from '../connectors/kit/days.js';
import { ConnectionFacts } from '../connections/facts/connection-facts.service.js';
import type { ConnectionEntry } from '../connections/connections.dto.js';
import type { CoverageAnswer } from '../connections/coverage/coverage.dto.js';

let app: TestApp;
let organization: Organization;
let connection: Connection;
/** First day that Google Ads still has. */
let first: string;

beforeAll(async () => {
  app = await startTestApp();
  first = app.get(Connectors).firstAvailableDay('google_ads') ?? '';
});
afterAll(() => app?.stop());
beforeEach(async () => {
  organization = await anOrganization(app);
  connection = await aStoredConnection(app, organization, [BERLIN], { historyFrom: addDays(first, -30) });
});

const read = (from: string, to: string) =>
  readDays(app, connection, { accountId: BERLIN.id, days: listDays(from, to), readAt: new Date().toISOString() });
const readFrom = (day: string) => read(day, daysAgo(1));
const entry = async () => (await organization.call.get<ConnectionEntry>(connection.path)).body;

it('does not wait for days of the history that the platform no longer has', async () => {
  await readFrom(first);
  await app.database.query(
    `insert into coverage (organization_id, connection_id, stream, account_id, day, state) values ($1, $2, 'campaign_daily', $3, $4, 'missing')`,
    [organization.id, connection.id, BERLIN.id, addDays(first, -1)],
  );
  expect(await entry()).toMatchObject({ completeThrough: daysAgo(1) });
  await app.get(ConnectionFacts).refreshAll();
  const [facts] = await app.database.query('select * from connection_facts where connection_id = $1', [connection.id]);
  expect(facts).toMatchObject({ accounts_missing: 0 });
  const { call } = organization;
  expect((await call.get(`${connection.path}/completeness`)).body).toMatchObject({ missing: 1 }); // today
  const query = `from=${addDays(first, -5)}&to=${addDays(first, 5)}`;
  const { body: coverage } = await call.get<CoverageAnswer>(`${connection.path}/coverage?${query}`);
  expect(coverage).toMatchObject({ summary: { toRepair: 0 }, accounts: [{ completeThrough: addDays(first, 5) }] });
  expect(coverage.accounts[0]?.days[0]).toMatchObject({ date: first });
});

it('waits for the first day that the platform still has', async () => {
  await readFrom(addDays(first, 1));
  expect(await entry()).toMatchObject({ completeThrough: null });
});

it('ends before days in the middle that were never loaded', async () => {
  connection = await aStoredConnection(app, organization, [BERLIN], { historyFrom: daysAgo(60) });
  await read(daysAgo(60), daysAgo(50));
  await readFrom(daysAgo(20));
  expect(await entry()).toMatchObject({ completeThrough: daysAgo(50) });
  const [report] = await app.database.query(
    'select complete_through::text as through from reporting.connections_v1 where connection_id = $1',
    [connection.id],
  );
  expect(report).toEqual({ through: daysAgo(50) });
  await read(daysAgo(49), daysAgo(21));
  expect(await entry()).toMatchObject({ completeThrough: daysAgo(1) });
});
