import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../test/app.js';
import { anOrganization, type Connection, daysAgo, type Organization } from '../../test/factories.js';
import { aStoredConnection, AUCKLAND, BERLIN, LOS_ANGELES, readDays, type TestAccount } from '../../test/freshness.js';
import { readReports } from '../../test/reports.js';
import { Connectors } from '../catalog/index.js';
import { addDays, dayInTimeZone, listDays } from '../connectors/kit/days.js';
import { providers } from '../connectors/registry.js';
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
const add = (day: string, state: string) =>
  app.database.query(
    `insert into coverage (organization_id, connection_id, stream, account_id, day, state) values ($1, $2, 'campaign_daily', $3, $4, $5)`,
    [organization.id, connection.id, BERLIN.id, day, state],
  );
/** The last day that is over in the time zone of the account. */
const yesterday = ({ timeZone } = BERLIN) => addDays(dayInTimeZone(new Date(), timeZone), -1);
const gapsIn = (view: string) =>
  readReports(
    app.database,
    `select account_id as account, stream, state, day_from::text as from, day_to::text as to, days
       from reporting.${view} where connection_id = $1 order by account_id, stream, day_from`,
    [connection.id],
  );
const reported = async () =>
  (
    await readReports(
      app.database,
      `select complete_through::text as through, incomplete_days as incomplete from reporting.connections_v1 where connection_id = $1`,
      [connection.id],
    )
  )[0];
const entry = async () => (await organization.call.get<ConnectionEntry>(connection.path)).body;

it('does not wait for days of the history that the platform no longer has', async () => {
  await read(first, yesterday());
  await add(addDays(first, -1), 'missing');
  expect(await entry()).toMatchObject({ completeThrough: yesterday() });
  expect(await reported()).toEqual({ through: yesterday(), incomplete: 0 });
  expect([await gapsIn('coverage_gaps_v1'), await gapsIn('coverage_gaps_v2')]).toEqual([[], []]);
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
  expect(await reported()).toMatchObject({ through: daysAgo(50) });
  await read(daysAgo(49), daysAgo(21));
  expect(await entry()).toMatchObject({ completeThrough: daysAgo(1) });
});

it('counts the days that each provider still has in the reporting views', async () => {
  const limited = providers.flatMap(({ kind, declared }) =>
    kind !== 'destination' && declared.historyMonths ? [[declared.provider, declared.historyMonths] as const] : [],
  );
  expect(limited.length).toBeGreaterThan(3);
  for (const view of ['connections_v1', 'coverage_gaps_v1', 'coverage_gaps_v2']) {
    const [{ definition } = { definition: '' }] = await app.database.query<{ definition: string }>(
      'select pg_get_viewdef($1::regclass) as definition',
      [`reporting.${view}`],
    );
    const counted = [...definition.matchAll(/WHEN '(\w+)'::text THEN (\d+)/g)].map(([, provider, months]) => [
      provider,
      Number(months),
    ]);
    expect(new Set(counted.map(String))).toEqual(new Set(limited.map(String)));
  }
});

it('is never later than yesterday in UTC for the days_behind of reports', async () => {
  // From 10:00 UTC, its yesterday is today in UTC.
  const kiritimati: TestAccount = { id: 'kiritimati', name: 'Northwind KI', timeZone: 'Pacific/Kiritimati' };
  connection = await aStoredConnection(app, organization, [kiritimati], { historyFrom: daysAgo(5) });
  const behind = async () => {
    await app.get(ConnectionFacts).refreshAll();
    return readReports(
      app.database,
      `select v1.days_behind as v1, v2.days_behind as v2, v2.complete_through::text as through
         from reporting.connections_v1 v1 join reporting.connections_v2 v2 using (connection_id) where connection_id = $1`,
      [connection.id],
    );
  };
  const readAll = (to: string) =>
    readDays(app, connection, { accountId: kiritimati.id, days: listDays(daysAgo(5), to), readAt: new Date().toISOString() });
  await readAll(daysAgo(3));
  expect(await behind()).toEqual([{ v1: 2, v2: 2, through: daysAgo(3) }]);
  await readAll(yesterday(kiritimati));
  expect(await behind()).toEqual([{ v1: 0, v2: 0, through: yesterday(kiritimati) }]);
  await app.database.query(`update sources set account_ids = '{}' where organization_id = $1`, [organization.id]);
  expect(await behind()).toEqual([{ v1: null, v2: null, through: null }]);
});

describe('gaps of coverage in reports', () => {
  const bothFacts = async (expected: object[]) => {
    expect(await gapsIn('coverage_gaps_v2')).toEqual(expected);
    await app.get(ConnectionFacts).refreshAll();
    expect(await gapsIn('coverage_gaps_v2')).toEqual(expected);
  };

  it('contain the days of a connection that has loaded none, up to yesterday in the time zone of each account', async () => {
    const streams = ['ad_daily', 'campaign_daily'];
    const from = daysAgo(10);
    connection = await aStoredConnection(app, organization, [AUCKLAND, LOS_ANGELES], { streams, historyFrom: from });
    await bothFacts(
      [AUCKLAND, LOS_ANGELES].flatMap((account) => {
        const to = yesterday(account);
        const common = { account: account.id, state: 'missing', from, to, days: listDays(from, to).length };
        return streams.map((stream) => ({ ...common, stream }));
      }),
    );
  });

  it('start at the first day that the platform still has', async () => {
    await read(addDays(first, 2), yesterday());
    const to = addDays(first, 1);
    const gap = { account: BERLIN.id, stream: 'campaign_daily', state: 'missing', from: first, to, days: 2 };
    await bothFacts([gap]);
  });

  it('contain days that were never loaded together with missing ones, and failed ones separately', async () => {
    connection = await aStoredConnection(app, organization, [BERLIN], { historyFrom: daysAgo(9) });
    await read(daysAgo(9), daysAgo(8));
    await add(daysAgo(7), 'missing');
    await add(daysAgo(5), 'failed');
    await read(daysAgo(4), yesterday());
    // Not over yet.
    await add(addDays(yesterday(), 1), 'failed');
    const common = { account: BERLIN.id, stream: 'campaign_daily' };
    await bothFacts([
      { ...common, state: 'missing', from: daysAgo(7), to: daysAgo(6), days: 2 },
      { ...common, state: 'failed', from: daysAgo(5), to: daysAgo(5), days: 1 },
    ]);
    await read(daysAgo(7), daysAgo(5));
    await bothFacts([]);
  });
});
