import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Preview, Validation } from '../../src/conversions/preview/preview.dto.js';
import { sandboxSettings, startTestApp, type TestApp } from '../app.js';
import { type Sandbox, startSandbox } from '../connectors/sandbox-process.js';
import { expectStatus } from '../factories.js';
import { anOrder, ConversionScenario } from './scenario.js';

let sandbox: Sandbox;
let app: TestApp;
let scenario: ConversionScenario;

beforeAll(async () => {
  sandbox = await startSandbox();
  app = await startTestApp(sandboxSettings(sandbox.url));
});
afterAll(async () => {
  await app?.stop();
  await sandbox?.stop();
});
beforeEach(async () => {
  scenario = await ConversionScenario.create(app, sandbox);
});

describe('a preview', () => {
  it('shows how many events would be sent, why not, and the exact request, and sends nothing', async () => {
    await scenario.pushApp.push([anOrder({ orderId: 'p-1' }), anOrder({ orderId: 'p-2', consent: 'denied' })]);
    const { call, path } = scenario.organization;
    const { body } = expectStatus(await call.post<Preview>(`${path}/conversion-setup/preview`, scenario.rules()), 200);
    expect(body).toMatchObject({
      ...{ records: 2, matching: 2, eligible: 1, identifiers: { email: 1, phone: 1 } },
      reasons: [{ reason: 'consent_denied', events: 1 }],
      request: {
        encoding: 'HEX',
        events: [{ userData: { userIdentifiers: [{ emailAddress: expect.stringMatching(/^[0-9a-f]{64}$/) }, {}] } }],
      },
    });
    expect(JSON.stringify(body)).not.toMatch(/shopper3|1234567/);
    const validation = expectStatus(await call.post<Validation>(`${path}/conversion-setup/validate`, scenario.rules()), 200).body;
    expect(validation).toEqual({ events: 1, accepted: 1, rejections: [] });
    expect(await scenario.received()).toEqual([]);
  });

  it('counts a refund as eligible if adjustments are sent, and otherwise shows why it is not', async () => {
    await scenario.pushApp.push([anOrder({ orderId: 'p-1' }), anOrder({ orderId: 'p-2', refundOf: 'p-1', value: 12.5 })]);
    const { call, path } = scenario.organization;
    const preview = async (sendsAdjustments: boolean) => {
      const rules = scenario.rules();
      const target = { ...(rules['target'] as object), settings: { ...scenario.action.settings, api: 'google_ads_upload' } };
      const body = { ...rules, target, sendsAdjustments };
      return expectStatus(await call.post<Preview>(`${path}/conversion-setup/preview`, body), 200).body;
    };
    expect(await preview(true)).toMatchObject({ eligible: 2, reasons: [], notes: [{ code: 'adjustment', events: 1 }] });
    expect(await preview(false)).toMatchObject({ eligible: 1, reasons: [{ reason: 'adjustments_off', events: 1 }], notes: [] });
  });

  it('counts only identifiers that the platform takes', async () => {
    await scenario.pushApp.push(anOrder({ orderId: 'p-1' }));
    const { call, path } = scenario.organization;
    const rules = scenario.rules();
    const mapping = { ...(rules['mapping'] as object), msclkid: { value: 'a' }, fbp: { value: 'b' } };
    const { body } = expectStatus(await call.post<Preview>(`${path}/conversion-setup/preview`, { ...rules, mapping }), 200);
    expect(body).toMatchObject({ eligible: 1, identifiers: { email: 1 } });
    expect(Object.keys(body.identifiers)).not.toEqual(expect.arrayContaining(['msclkid']));
    expect(Object.keys(body.identifiers)).not.toEqual(expect.arrayContaining(['fbp']));
  });

  it('shows the records of the source without personal data', async () => {
    await scenario.pushApp.push(anOrder({ orderId: 'p-1' }));
    const { call, path } = scenario.organization;
    const source = { appId: scenario.pushApp.id, settings: {} };
    const { body } = expectStatus(await call.post(`${path}/conversion-setup/sample`, { source }), 200);
    expect(body).toMatchObject({
      records: [{ orderId: 'p-1', 'customer.email': '[email]', 'customer.phone': '[phone]' }],
      idField: 'push.id',
    });
  });
});
