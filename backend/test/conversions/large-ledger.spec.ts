import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventsSql, reasonsSql } from '../../src/conversions/api/conversion-events.queries.js';
import { firstIdOf } from '../../src/core/database/identifiers.js';
import { sandboxSettings, startTestApp, type TestApp } from '../app.js';
import { type Sandbox, startSandbox } from '../connectors/sandbox-process.js';
import { eventually } from '../factories.js';
import { anOrder, ConversionScenario } from './scenario.js';

const OLD_EVENTS = 20_000;

let sandbox: Sandbox;
let app: TestApp;
let scenario: ConversionScenario;
let id: string;

beforeAll(async () => {
  sandbox = await startSandbox();
  app = await startTestApp({ ROLE: 'all', ...sandboxSettings(sandbox.url) });
  scenario = await ConversionScenario.create(app, sandbox);
  await sandbox.addFault({ provider: 'data-manager', fault: 'reject_events' });
  await scenario.pushApp.push(anOrder({ orderId: 'large-1' }));
  ({ id } = await scenario.conversion());
  await scenario.ran(id, 'partial');
  await scenario.act(id, 'pause');
});
afterAll(async () => {
  await app?.stop();
  await sandbox?.stop();
});

/** Adds events like the only one, as if they had arrived some days ago. */
const addEvents = (count: number, days: number) =>
  app.database.query(
    `insert into conversion_events
     select copy.* from conversion_events e, generate_series(1, $2) n,
            jsonb_populate_record(e, jsonb_build_object(
              'id', overlay($3 placing lpad(to_hex(n), 12, '0') from 25), 'dedupe_key', $4 || n, 'order_id', $4 || n,
              'received_at', e.received_at - make_interval(days => $5), 'received_on', e.received_on - $5)) copy
      where e.conversion_id = $1 and e.dedupe_key = 'large-1'`,
    [id, count, firstIdOf(new Date(Date.now() - days * 86_400_000)), `day-${days}-`, days],
  );

/** The added events are not part of the counts. */
async function countAgain(): Promise<void> {
  await app.database.query('delete from conversion_counts where conversion_id = $1', [id]);
  await app.database.query(
    `insert into conversion_counts (organization_id, conversion_id, day, state, events)
     select organization_id, conversion_id, received_on, state, count(*) from conversion_events where conversion_id = $1 group by 1, 2, 3, 4`,
    [id],
  );
}

interface Plan {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

const rowsRead = (plan: Plan): number =>
  Math.max(
    (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'],
    ...(plan.Plans ?? []).map(rowsRead),
  );

async function mostRowsRead(sql: string, parameters: unknown[]): Promise<number> {
  const [row] = await app.database.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(`explain (analyze, format json) ${sql}`, [
    scenario.organization.id,
    ...parameters,
  ]);
  return rowsRead(row!['QUERY PLAN'][0].Plan);
}

it('reads only the events of the last days for the reasons, and only the found ones for a search', async () => {
  await addEvents(OLD_EVENTS, 60);
  await app.database.query('vacuum analyze conversion_events');
  expect(await mostRowsRead(reasonsSql, [id, firstIdOf(new Date(Date.now() - 31 * 86_400_000))])).toBeLessThan(100);
  expect(await mostRowsRead(eventsSql(true), [id, null, null, 51, 'day-60-77'])).toBeLessThan(100);
  const { call, path } = scenario.organization;
  const { body } = await call.get<{ reasons: object[] }>(`${path}/conversions/${id}/funnel`);
  expect(body.reasons).toMatchObject([{ state: 'rejected', events: 1 }]);
  expect(await scenario.events(id, '&search=day-60-77')).toMatchObject([{ dedupeKey: 'day-60-77' }]);
  await app.database.query(`delete from conversion_events where conversion_id = $1 and dedupe_key like 'day-60-%'`, [id]);
});

it('sends any number of rejected events again, a part of them in each transaction', async () => {
  await addEvents(5_000, 1);
  expect(await scenario.replay(id, { state: 'rejected' })).toBe(5_001);
  const states = await app.database.query(
    `select state, code, attempts, count(*)::int as events, count(distinct xmin::text)::int as transactions
       from conversion_events where conversion_id = $1 group by 1, 2, 3`,
    [id],
  );
  expect(states).toEqual([{ state: 'queued', code: 'replayed', attempts: 0, events: 5_001, transactions: 2 }]);
});

it('ends any number of events that became too old while the conversion was paused, a part of them in each transaction', async () => {
  await app.database.query(
    `update conversion_events set expires_at = now() - interval '1 hour' where conversion_id = $1 and state = 'queued'`,
    [id],
  );
  await countAgain();
  await scenario.act(id, 'resume');
  const states = () =>
    app.database.query<{ state: string; events: number; transactions: number }>(
      `select state, count(*)::int as events, count(distinct xmin::text)::int as transactions
         from conversion_events where conversion_id = $1 group by 1`,
      [id],
    );
  await eventually(states, (rows) => rows.every(({ state }) => state === 'expired'));
  expect(await states()).toEqual([{ state: 'expired', events: 5_001, transactions: 3 }]);
});
