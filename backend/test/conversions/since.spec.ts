import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../app.js';
import { type Sandbox, startSandbox } from '../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../connectors/warehouse.js';
import { aDestination, eventually } from '../factories.js';
import { anOrder, ConversionScenario, daysBefore } from './scenario.js';

let sandbox: Sandbox;
let warehouse: Warehouse;
let app: TestApp;
let scenario: ConversionScenario;

beforeAll(async () => {
  [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
  app = await startTestApp({ ROLE: 'all', ...sandboxSettings(sandbox.url) });
});
afterAll(async () => {
  await app?.stop();
  await Promise.all([sandbox?.stop(), warehouse?.stop()]);
});
beforeEach(async () => {
  scenario = await ConversionScenario.create(app, sandbox);
});

const HOUR = 1 / 24;
const since = () => daysBefore(2 * HOUR);

describe('events from before the start of a conversion are not sent', () => {
  it.each(['at', null])('although each read of a query returns them again (time field: %s)', async (timeField) => {
    const table = `orders_${timeField ?? 'untimed'}`;
    await warehouse.query(`create table ${table} (id text, at timestamptz, value numeric, email text, consent text)`);
    const insert = (key: string, hoursAgo: number) =>
      warehouse.query(
        `insert into ${table} values ('${key}', now() - interval '${hoursAgo} hours', 10, 'shopper3@example.com', 'granted')`,
      );
    await insert('days-before', 72);
    await insert('hours-before', 3);
    await insert('after', 1);
    const destinationId = await aDestination(scenario.organization, warehouse);
    const mapping = {
      ...{ id: { field: 'id' }, occurredAt: { field: 'at' }, value: { field: 'value' }, currency: { value: 'EUR' } },
      ...{ orderId: { field: 'id' }, email: { field: 'email' }, adUserData: { field: 'consent' } },
    };
    const source = { destinationId, settings: { query: `select * from ${table}`, timeField, overlapHours: 96 } };
    const { id } = await scenario.conversion({ since: since() }, { source, mapping });
    await scenario.ran(id);
    await insert('after-too', 0);
    await scenario.runDue(id);
    expect(await scenario.outcomes(id)).toEqual({ after: 'accepted', 'after-too': 'accepted' });
    // Rows before the start are not even read if the query says when they were written.
    expect((await scenario.runs(id))[0]).toMatchObject({ recordsRead: timeField ? 2 : 4, eventsNew: 1 });
  });

  it('although they are pushed later; those whose time is unreadable or only a day are stored if they may belong to it', async () => {
    const { id } = await scenario.conversion({ since: since() });
    await scenario.ran(id);
    await scenario.pushApp.push([
      anOrder({ orderId: 'before', at: daysBefore(3 * HOUR) }),
      anOrder({ orderId: 'days-before', at: daysBefore(3).slice(0, 10) }),
      anOrder({ orderId: 'after', at: daysBefore(HOUR) }),
      anOrder({ orderId: 'today', at: daysBefore(0).slice(0, 10) }),
      anOrder({ orderId: 'some-day', at: 'yesterday' }),
    ]);
    const outcomes = await eventually(
      () => scenario.outcomes(id),
      (found) => found['after'] === 'accepted' && found['today'] === 'accepted',
    );
    expect(outcomes).toEqual({ after: 'accepted', today: 'accepted', 'some-day': 'time_unreadable' });
  });
});
