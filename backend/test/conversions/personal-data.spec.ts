import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { ConversionEventPage } from '../../src/conversions/api/conversion-events.dto.js';
import { sandboxSettings, startTestApp, type TestApp } from '../app.js';
import { type Sandbox, startSandbox } from '../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../connectors/warehouse.js';
import { aDestination, expectStatus } from '../factories.js';
import { anOrder, ConversionScenario } from './scenario.js';

const EMAIL = 'canary.customer@shop.example';
const PHONE = '+49 171 9876543';
/** The address and the number in every form in which they could be stored. */
const LEAK = /canary\.customer|canarycustomer|171 ?9876543|491719876543|203\.0\.113\.77/i;

let sandbox: Sandbox;
let warehouse: Warehouse;
let app: TestApp;
let scenario: ConversionScenario;
const logs: string[] = [];

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => logs.push(String(text)) > 0);
  [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
  await sandbox.admin('data-manager/settings', { processingSeconds: 0 });
  app = await startTestApp({ ROLE: 'all', LOG_LEVEL: 'trace', ...sandboxSettings(sandbox.url) });
  scenario = await ConversionScenario.create(app, sandbox);
});
afterAll(async () => {
  vi.restoreAllMocks();
  await app?.stop();
  await Promise.all([sandbox?.stop(), warehouse?.stop()]);
});

const order = (overrides: object = {}) =>
  anOrder({
    customer: { email: EMAIL, phone: PHONE, ip: '203.0.113.77', browser: 'CanaryBrowser/1.0' },
    page: `https://shop.example/thanks?email=${EMAIL}`,
    ...overrides,
  });

async function dump(): Promise<string> {
  const tables = await app.database.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'graphile_worker')`,
  );
  const rows = await Promise.all(tables.map(({ name }) => app.database.query(`select t::text from ${name} t`)));
  return JSON.stringify(rows);
}

it('no e-mail address, phone number or IP address of a customer is in the database, the logs or a response', async () => {
  const { call, path } = scenario.organization;
  const answers: unknown[] = [];
  const keep = <Body>(answer: { body: Body }): Body => {
    answers.push(answer.body);
    return answer.body;
  };
  await scenario.pushApp.push([
    ...[order(), order({ orderId: EMAIL }), order({ value: EMAIL }), order({ at: PHONE }), order({ consent: EMAIL })],
    order({ refundOf: EMAIL, value: '1' }),
  ]);
  const rules = scenario.rules({ sendsAdjustments: true });
  Object.assign(rules['mapping'] as object, {
    ipAddress: { field: 'customer.ip' },
    userAgent: { field: 'customer.browser' },
    sourceUrl: { field: 'page' },
    externalId: { field: 'customer.email' },
  });
  for (const action of ['sample', 'preview', 'validate'])
    keep(await call.post(`${path}/conversion-setup/${action}`, action === 'sample' ? { source: rules['source'] } : rules));
  const { id } = await scenario.conversion({}, rules);
  await scenario.ran(id);
  await scenario.runDue(id);
  // A query whose error names a value.
  await warehouse.query(`create table buyers as select '${EMAIL}'::text as email, '${PHONE}'::text as phone`);
  const destinationId = await aDestination(scenario.organization, warehouse);
  const query = { query: 'select phone::int as id, email from buyers', timeField: null, overlapHours: 0 };
  keep(await call.post(`${path}/conversion-setup/sample`, { source: { destinationId, settings: query } }));
  const { items } = keep(await call.get<ConversionEventPage>(`${path}/conversions/${id}/events`));
  for (const event of items) {
    keep(await call.get(`${path}/conversions/${id}/events/${event.id}`));
    keep(await call.get(`${path}/conversion-orders?search=${encodeURIComponent(event.dedupeKey)}`));
  }
  for (const part of ['', '/funnel', '/runs']) keep(expectStatus(await call.get(`${path}/conversions/${id}${part}`), 200));
  keep(await call.get(`${path}/apps/${scenario.pushApp.id}/push/receipts`));
  keep(await call.get(`${path}/audit-events`));
  expect(items.length).toBe(6);
  for (const [where, text] of Object.entries({ database: await dump(), logs: logs.join('\n'), answers: JSON.stringify(answers) }))
    expect({
      where,
      leak: LEAK.exec(text)?.[0] && text.slice(Math.max(0, text.search(LEAK) - 120), text.search(LEAK) + 60),
    }).toEqual({ where, leak: undefined });
});
