import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ConversionTest } from '../../src/conversions/preview/preview.dto.js';
import { sandboxSettings, startTestApp, type TestApp } from '../app.js';
import { type Sandbox, startSandbox } from '../connectors/sandbox-process.js';
import { expectStatus } from '../factories.js';
import { anOrder, ConversionScenario, daysBefore } from './scenario.js';

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
  await sandbox.clearFaults();
  scenario = await ConversionScenario.create(app, sandbox);
});

const request = (id: string) => {
  const { call, path } = scenario.organization;
  return call.post<ConversionTest>(`${path}/conversions/${id}/test`);
};
const send = async (id: string) => expectStatus(await request(id), 200).body;
const fault = (provider: string, name: string, more: object = {}) => sandbox.admin('faults', { provider, fault: name, ...more });
/** The test left nothing behind: no event in the ledger, and no run. */
const expectNothingStored = async (id: string) => {
  expect(await scenario.events(id)).toEqual([]);
  expect(await scenario.runs(id)).toEqual([]);
  expect(await scenario.entry(id)).toMatchObject({ health: 'never_run', failure: null, lastWeek: { received: 0 } });
};

describe('a test of a conversion to Google Ads', () => {
  it('has the newest eligible events validated, and counts and stores nothing', async () => {
    const eligible = Array.from({ length: 7 }, (_, index) => anOrder({ orderId: `t-${index}`, at: daysBefore(1) }));
    await scenario.pushApp.push([...eligible, anOrder({ orderId: 't-denied', consent: 'denied' })]);
    const { id } = await scenario.conversion();
    expect(await send(id)).toEqual({
      ...{ isValidated: true, events: 5, accepted: 5, rejections: [] },
      results: ['t-6', 't-5', 't-4', 't-3', 't-2'].map((dedupeKey) => ({
        ...{ dedupeKey, occurredAt: expect.any(String), state: 'accepted', code: null, message: null },
      })),
    });
    expect(await scenario.received()).toEqual([]);
    await expectNothingStored(id);
    const { call, path } = scenario.organization;
    const { body } = await call.get<{ items: { action: string }[] }>(`${path}/audit-events`);
    expect(body.items.map(({ action }) => action)).toContain('conversion.tested');
  });

  it('shows for each event why the platform rejects it', async () => {
    await scenario.pushApp.push([anOrder({ orderId: 't-1' }), anOrder({ orderId: 't-2' })]);
    const { id } = await scenario.conversion();
    await fault('data-manager', 'reject_events', { everyNth: 2, reason: 'INVALID_CURRENCY_CODE' });
    const rejected = { code: 'google_data_manager.invalid_currency_code', message: expect.stringContaining('Google rejects') };
    expect(await send(id)).toMatchObject({
      ...{ events: 2, accepted: 1, rejections: [{ reason: rejected.code, events: 1 }] },
      results: [
        { dedupeKey: 't-2', state: 'accepted' },
        { dedupeKey: 't-1', state: 'rejected', ...rejected },
      ],
    });
    await expectNothingStored(id);
  });

  it('works while the conversion is paused, with events from before its start', async () => {
    await scenario.pushApp.push(anOrder({ orderId: 't-1' }));
    const { id } = await scenario.conversion({ since: new Date().toISOString() });
    await scenario.act(id, 'pause');
    expect(await send(id)).toMatchObject({ events: 1, accepted: 1 });
  });

  it('says that there is no event, or why none can be sent', async () => {
    const { id } = await scenario.conversion();
    expect(expectStatus(await request(id), 409).body).toMatchObject({
      ...{
        code: 'conversion.no_test_event',
        detail: expect.stringContaining('no event'),
        action: 'Send an event to the source first',
      },
    });
    await scenario.pushApp.push(anOrder({ consent: 'denied' }));
    expect(expectStatus(await request(id), 409).body).toMatchObject({
      ...{ code: 'conversion.no_test_event', detail: expect.stringContaining('consent'), action: 'Check the mapping' },
    });
  });

  it('asks for a new sign-in, and marks the app as the next run would', async () => {
    await scenario.pushApp.push(anOrder());
    const { id } = await scenario.conversion();
    await fault('data-manager', 'revoke');
    await fault('google-ads', 'revoke');
    expect(expectStatus(await request(id), 422).body).toMatchObject({
      ...{ code: 'app.not_connected', action: 'Reconnect with Google' },
    });
    expect(await scenario.entry(id)).toMatchObject({ health: 'needs_reauth', failedSide: 'target' });
  });

  it('asks to repeat it later when the platform throttles', async () => {
    await scenario.pushApp.push(anOrder());
    const { id } = await scenario.conversion();
    await fault('data-manager', 'throttle');
    const answer = expectStatus(await request(id), 503);
    // As long as the platform asks for, or a minute: 5 seconds are for the product's own restarts.
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(5);
    expect(answer.body).toMatchObject({
      ...{ code: 'provider.unavailable', action: 'Try again in a few minutes', detail: expect.stringContaining('throttles') },
    });
    await expectNothingStored(id);
  });
});

describe.each([
  { platform: 'Meta Ads', provider: 'meta_ads', account: '310000000000011', kind: 'dataset', faults: 'meta-ads' },
  { platform: 'Microsoft Ads', provider: 'microsoft_ads', account: '180500011', kind: 'offline goal', faults: 'microsoft-ads' },
  { platform: 'Microsoft UET', provider: 'microsoft_ads', account: '180500011', kind: 'UET goal', faults: 'microsoft-ads' },
])('a test of a conversion to $platform, which counts all events that it accepts', ({ provider, account, kind, faults }) => {
  const aPreparedConversion = async (testCode: string | null = null): Promise<string> => {
    const { clickId } = await sandbox.admin<{ clickId: string }>('microsoft-ads/clicks', {
      ...{ accountId: '180500011', minutesAgo: 3_000 },
    });
    await scenario.pushApp.push(
      anOrder({ orderId: 't-1', msclkid: clickId, browser: 'TestBrowser/1.0', page: 'https://shop.example/thanks' }),
    );
    const rules = scenario.rules({ target: await scenario.target(provider, account, kind), testCode });
    Object.assign(rules['mapping'] as object, {
      ...{ msclkid: { field: 'msclkid' }, userAgent: { field: 'browser' }, sourceUrl: { field: 'page' } },
    });
    return (await scenario.conversion({}, rules)).id;
  };
  const received = () => sandbox.admin<object>(`${faults}/received`);

  it('checks the access and the events, and sends none, not even with a test code', async () => {
    const id = await aPreparedConversion('TEST1');
    const before = await received();
    expect(await send(id)).toMatchObject({
      ...{ isValidated: false, events: 1, accepted: 0, rejections: [] },
      results: [{ dedupeKey: 't-1', state: 'checked', code: null, message: null }],
    });
    expect(await received()).toEqual(before);
    await expectNothingStored(id);
  });

  it('asks for a new sign-in', async () => {
    const id = await aPreparedConversion();
    await app.database.query(`update apps set state = 'needs_reauth' where provider = $1 and organization_id = $2`, [
      ...[provider, scenario.organization.id],
    ]);
    expect(expectStatus(await request(id), 422).body).toMatchObject({
      ...{ code: 'app.not_connected', action: expect.stringContaining('Reconnect with') },
    });
  });

  it('asks to repeat it later when the platform throttles', async () => {
    const id = await aPreparedConversion();
    await fault(faults, 'throttle');
    expect(expectStatus(await request(id), 503).body).toMatchObject({
      ...{ code: 'provider.unavailable', action: 'Try again in a few minutes' },
    });
  });

  it('says that the target is gone', async () => {
    const id = await aPreparedConversion();
    const column = faults === 'meta-ads' ? 'datasetId' : 'goalName';
    await app.database.query(
      `update conversions set target_settings = target_settings || jsonb_build_object($2::text, '999'::text)
              || case when target_settings ? 'tagId' then '{"tagId": "999"}'::jsonb else '{}' end where id = $1`,
      [id, column],
    );
    expect(expectStatus(await request(id), 409).body).toMatchObject({
      ...{ code: 'conversion.target_gone', action: 'Choose another in the settings of the conversion' },
    });
  });
});
