import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.js';
import { ConnectionHistory } from '../../../test/connection-history.js';
import { anOrganization, type Connection, daysAgo, expectStatus, type Organization } from '../../../test/factories.js';
import { AUCKLAND, aStoredConnection, BERLIN, readDays } from '../../../test/freshness.js';
import { listDays } from '../../connectors/kit/days.js';
import { randomOf } from '../../../test/user-actions.js';
import { type ConnectionEntry, type ConnectionPage, HEALTHS } from '../connections.dto.js';
import type { FreshnessPage } from '../../freshness/freshness.dto.js';
import { ConnectionFacts } from './connection-facts.service.js';

/** `SEED` for other histories, `ROUNDS` for longer ones. */
const SEED = Number(process.env['SEED'] ?? 16);
const ROUNDS = Number(process.env['ROUNDS'] ?? 70);
const ACTIONS = 4;

let app: TestApp;
let organization: Organization;
let connections: Connection[];

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.stop());

const list = async (): Promise<ConnectionPage> => {
  const { body } = expectStatus(await organization.call.get<ConnectionPage>(`${organization.path}/connections`), 200);
  return { ...body, items: body.items.map(withoutClock) };
};

/** Without the time of the response. */
const withoutClock = (entry: ConnectionEntry): ConnectionEntry => ({
  ...entry,
  activeRun: entry.activeRun && { ...entry.activeRun, updatedAt: '', rowsPerSecond: 0 },
});

/** Without stored facts: each connection is computed from its runs and its coverage. */
async function compute(): Promise<ConnectionPage> {
  const answers = await Promise.all(connections.map(({ path }) => organization.call.get<ConnectionEntry>(path)));
  const items = answers.filter(({ status }) => status === 200).map(({ body }) => withoutClock(body));
  const order = ({ health }: ConnectionEntry) => HEALTHS.indexOf(health);
  items.sort((left, right) => order(left) - order(right) || left.name.localeCompare(right.name) || (left.id < right.id ? -1 : 1));
  const counts: Record<string, number> = { all: items.length };
  for (const { health } of items) counts[health] = (counts[health] ?? 0) + 1;
  return { items, counts, tags: [...new Set(items.flatMap(({ tags }) => tags))].sort(), nextCursor: null };
}

const completeThroughOf = ({ items }: ConnectionPage) =>
  Object.fromEntries(items.map(({ id, completeThrough }) => [id, completeThrough]));

/** How far each connection is complete, as the list of their freshness shows it. */
async function freshness(): Promise<Record<string, string | null>> {
  const { body } = expectStatus(await organization.call.get<FreshnessPage>(`${organization.path}/freshness`), 200);
  return Object.fromEntries(body.items.map(({ connectionId, completeThrough }) => [connectionId, completeThrough]));
}

describe('the list of connections', () => {
  const seen = new Set<string>();

  it.each([SEED, SEED + 1, SEED + 2])(
    'equals a fresh computation after each part of random histories (seed %i)',
    async (seed) => {
      organization = await anOrganization(app);
      connections = [];
      for (let n = 0; n < 5; n++)
        connections.push(
          await aStoredConnection(app, organization, [BERLIN, AUCKLAND], { name: `Search ${n}`, historyFrom: daysAgo(25) }),
        );
      const history = new ConnectionHistory(app, organization, randomOf(seed));
      for (let round = 0; round < ROUNDS; round++) {
        // Half of them at the same time, with a list that reads in between.
        for (let n = 0; n < ACTIONS / 2; n++) await history.act(connections);
        await Promise.all([...Array.from({ length: ACTIONS / 2 }, () => history.act(connections)), list()]);
        const expected = await compute();
        // Before the list, which brings the facts up to date.
        expect(await freshness(), `seed ${seed}, round ${round}`).toEqual(completeThroughOf(expected));
        expect(await list(), `seed ${seed}, round ${round}`).toEqual(expected);
        expect(await freshness(), `seed ${seed}, round ${round}`).toEqual(completeThroughOf(expected));
        for (const health of Object.keys(expected.counts)) seen.add(health);
      }
    },
  );

  it('had most healths in these histories', () => {
    expect([...seen].length, [...seen].join(' ')).toBeGreaterThan(6);
  });

  it('equals it after a rebuild of lost facts', async () => {
    await app.database.query('delete from connection_facts');
    await app.database.query('delete from connection_totals');
    expect(await app.get(ConnectionFacts).rebuild()).toBeGreaterThan(0);
    const [{ count } = { count: 0 }] = await app.database.query<{ count: number }>(
      'select count(*)::int as count from connection_facts where organization_id = $1',
      [organization.id],
    );
    const expected = await compute();
    expect(count).toBe(expected.items.length);
    expect(await list()).toEqual(expected);
  });

  it('shows a connection as stale once the time has come, although nothing was written', async () => {
    organization = await anOrganization(app);
    connections = [await aStoredConnection(app, organization, [BERLIN], { historyFrom: daysAgo(25) })];
    const [connection] = connections as [Connection];
    const days = listDays(daysAgo(25), daysAgo(10));
    await readDays(app, connection, { accountId: BERLIN.id, days, readAt: new Date().toISOString() });
    expect((await list()).counts).toEqual({ all: 1, stale: 1 });
    // As computed before that time.
    await app.database.query(
      `update connection_facts set severity = ${HEALTHS.indexOf('never_run')}, recheck_at = now() - interval '1 second' where connection_id = $1`,
      [connection.id],
    );
    expect(await list()).toEqual(await compute());
    expect((await list()).counts).toEqual({ all: 1, stale: 1 });
  });

  it('computes the time at which a connection becomes stale', async () => {
    const [connection] = connections as [Connection];
    const days = listDays(daysAgo(25), daysAgo(1));
    await readDays(app, connection, { accountId: BERLIN.id, days, readAt: new Date().toISOString() });
    expect((await list()).counts).toEqual({ all: 1, never_run: 1 });
    const [{ hours } = { hours: 0 }] = await app.database.query<{ hours: number }>(
      `select extract(epoch from recheck_at - now())::float8 / 3600 as hours from connection_facts where connection_id = $1`,
      [connection.id],
    );
    // A manual schedule: 48 hours after the end of the next day.
    expect(hours).toBeGreaterThan(47);
    expect(hours).toBeLessThan(97);
  });
});

describe('days of an account or a stream that the connection no longer loads', () => {
  it.each([
    ['account', `update sources set account_ids = array['${BERLIN.id}'] where organization_id = $1`],
    ['stream', `update connections set streams = array['campaign_daily'] where organization_id = $1`],
  ])('are no gaps of the connection: %s', async (_, removal) => {
    const own = await anOrganization(app);
    const streams = ['campaign_daily', 'ad_group_daily'];
    const { id } = await aStoredConnection(app, own, [BERLIN, AUCKLAND], { streams, historyFrom: daysAgo(5) });
    await app.database.query(
      `insert into coverage (organization_id, connection_id, stream, account_id, day, state, rows, last_verified_at, first_loaded_at)
       select $1, $2, stream, account_id, day::date,
              case when stream = 'ad_group_daily' and account_id = $3 and day::date = $4::date then 'failed' else 'final' end::coverage_state,
              7, now(), now()
         from unnest($5::text[]) stream, unnest($6::text[]) account_id, generate_series($7::date, $8::date, interval '1 day') day`,
      [own.id, id, AUCKLAND.id, daysAgo(2), streams, [BERLIN.id, AUCKLAND.id], daysAgo(5), daysAgo(1)],
    );
    const gapsOf = async () => {
      await app.get(ConnectionFacts).refreshAll();
      const [facts] = await app.database.query<{ missing: number; rows: Record<string, number> }>(
        'select accounts_missing as missing, rows_by_day as rows from connection_facts where connection_id = $1',
        [id],
      );
      const ranges = await app.database.query('select day_from from reporting.coverage_gaps_v1 where connection_id = $1', [id]);
      const [counted] = await app.database.query<{ days: number }>(
        'select incomplete_days as days from reporting.connections_v1 where connection_id = $1',
        [id],
      );
      const hasRows = facts?.rows[daysAgo(2)] !== undefined;
      return { accounts: facts?.missing, hasRows, ranges: ranges.length, days: counted?.days };
    };
    expect(await gapsOf()).toEqual({ accounts: 1, hasRows: false, ranges: 1, days: 1 });
    await app.database.query(removal, [own.id]);
    expect(await gapsOf()).toEqual({ accounts: 0, hasRows: true, ranges: 0, days: 0 });
  });
});
