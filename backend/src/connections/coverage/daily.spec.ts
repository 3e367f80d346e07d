import { afterAll, beforeAll, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../../test/app.js';
import { type Sandbox, startSandbox } from '../../../test/connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../../test/connectors/warehouse.js';
import { aConnection, anOrganization, type Connection, daysAgo, eventually, type Organization } from '../../../test/factories.js';
import type { ConnectionEntry } from '../connections.dto.js';
import type { DailyAnswer } from './coverage.dto.js';

const GERMANY = '9001000011';
const USA = '9001000012';
const JAPAN = '9001000013';

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;
let organization: Organization;
let connection: Connection;

beforeAll(async () => {
  [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
  app = await startTestApp({ ROLE: 'all', ...sandboxSettings(sandbox.url) });
  organization = await anOrganization(app);
  connection = await aConnection(organization, warehouse, {
    accountIds: [GERMANY, USA, JAPAN],
    streams: ['ad_performance_daily'],
    historyDays: 20,
  });
  await eventually(
    async () => (await organization.call.get<ConnectionEntry>(connection.path)).body,
    ({ activeRun, lastRun }) => !activeRun && lastRun?.state === 'succeeded',
  );
});
afterAll(async () => {
  await app?.stop();
  await Promise.all([sandbox?.stop(), warehouse?.stop()]);
});

/** Settled days only: the accounts' days of today differ. */
const daily = async () =>
  (await organization.call.get<DailyAnswer>(`${connection.path}/daily?from=${daysAgo(19)}&to=${daysAgo(2)}`)).body;

it('returns the cost in the organization’s currency as it is converted in the warehouse, and by currency', async () => {
  const answer = await daily();
  expect(answer).toMatchObject({ currency: 'USD', isMixedCurrency: true });
  const written = await warehouse.query<{ currency: string; cost: string; converted: string }>(
    `select currency, sum(cost_micros)::text as cost, sum(converted_cost_micros)::text as converted
       from ad_performance_daily where date between '${daysAgo(19)}' and '${daysAgo(2)}' group by currency order by currency`,
  );
  expect(answer.currencies.map(({ currency, costMicros }) => [currency, costMicros])).toEqual(
    written.map(({ currency, cost }) => [currency, cost]),
  );
  // The warehouse rounds each row, the answer each day.
  for (const [place, { convertedMicros }] of answer.currencies.entries())
    expect(Math.abs(Number(convertedMicros) - Number(written[place]?.converted))).toBeLessThan(10_000);
  const total = answer.days.reduce((sum, day) => sum + BigInt(day.costMicros ?? 0), 0n);
  expect(total).toBe(answer.currencies.reduce((sum, { convertedMicros }) => sum + BigInt(convertedMicros ?? 0), 0n));
});

it('separates rows that may still change from settled rows', async () => {
  const { days } = await daily();
  const [oldest, newest] = [days[0], days.at(-1)];
  expect(oldest).toMatchObject({ isProvisional: false, provisionalRows: 0 });
  expect(newest).toMatchObject({ isProvisional: true, provisionalRows: newest?.rows });
});

it('counts the runs of each day of the organization’s time zone by their end', async () => {
  const at = (day: string, time: string) => `${day}T${time}Z`;
  await app.database.query(`update organizations set time_zone = 'Asia/Tokyo' where id = $1`, [organization.id]);
  for (const [state, endedAt] of [
    ['succeeded', at(daysAgo(9), '14:59:00')],
    ['succeeded', at(daysAgo(9), '15:01:00')],
    ['partial', at(daysAgo(8), '02:00:00')],
    ['unverified', at(daysAgo(8), '03:00:00')],
    ['failed', at(daysAgo(8), '04:00:00')],
    ['cancelled', at(daysAgo(7), '04:00:00')],
  ])
    await app.database.query(
      `insert into runs (organization_id, id, connection_id, kind, trigger, state, queued_at, ended_at)
       values ($1, gen_random_uuid(), $2, 'scheduled', 'schedule', $3::run_state, $4, $4)`,
      [organization.id, connection.id, state, endedAt],
    );
  expect((await daily()).runs).toEqual([
    { date: daysAgo(9), verified: 1, incomplete: 0, failed: 0 },
    { date: daysAgo(8), verified: 1, incomplete: 2, failed: 1 },
  ]);
});

it('returns no sum if an exchange rate is not known, and still the cost by currency', async () => {
  await app.database.query(`delete from exchange_rates where currency = 'JPY'`);
  const { currencies, days, currency } = await daily();
  expect(currency).toBe('USD');
  expect(days.every(({ costMicros }) => costMicros === null)).toBe(true);
  expect(currencies.map(({ currency: of, convertedMicros }) => [of, convertedMicros === null])).toEqual([
    ['EUR', false],
    ['JPY', true],
    ['USD', false],
  ]);
});
