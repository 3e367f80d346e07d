import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { microsoftConversionsConnector } from '../../../src/connectors/microsoft-conversions/index.js';
import { goalSettingsSchema } from '../../../src/connectors/microsoft-conversions/settings.js';
import { startMicrosoftConversionsSandbox, type MicrosoftConversionsSandbox } from './microsoft-conversions-sandbox.js';

let sandbox: MicrosoftConversionsSandbox;
beforeAll(async () => void (sandbox = await startMicrosoftConversionsSandbox()));
afterEach(() => sandbox.clearFaults());
afterAll(() => sandbox.stop());

it.each([
  ['throttle', {}, { name: 'RetryLater', failureClass: 'quota' }],
  ['server_error', {}, { name: 'RetryLater', failureClass: 'transient' }],
  ['permission', { accountId: '180500012' }, { name: 'FixSettings', code: 'microsoft_conversions.user_is_not_authorized' }],
])('listing fails after %s', async (fault, parameters, error) => {
  await sandbox.fail(fault, { ...parameters, event: 'goals' });
  await expect(sandbox.choicesOf('Northwind US')).rejects.toMatchObject(error);
});

it('goals that cannot receive events are listed with the reason', async () => {
  const choices = await sandbox.choicesOf('Northwind US');
  expect(choices.map(({ name, kind, problem }) => [name, kind, problem])).toEqual([
    ['Purchase, "all"', 'UET goal', 'The goal counts page views. Choose a goal for custom events, or an offline goal.'],
    ['Newsletter sign-up', 'UET goal', null],
    ['Purchase (old tag)', 'UET goal', 'The goal is paused, so Microsoft Advertising counts no events for it.'],
    ['Closed deal', 'offline goal', null],
    ['Qualified lead', 'offline goal', null],
    ['Closed deal (old)', 'offline goal', 'The goal is paused, so Microsoft Advertising counts no events for it.'],
    ['Renewal', 'offline goal', null],
  ]);
});

it('the settings of each goal are sufficient to open it', async () => {
  const ids = { accountId: '180500012', customerId: '160100001' };
  const choices = (await sandbox.choicesOf('Northwind US')).filter(({ problem }) => problem === null);
  const byName = Object.fromEntries(choices.map(({ name, settings }) => [name, settings]));
  expect(byName['Closed deal']).toMatchObject({
    kind: 'offline_goal',
    ...ids,
    goalName: 'Closed deal',
    hasEnhancedConversions: true,
  });
  expect(byName['Qualified lead']).toMatchObject({ hasEnhancedConversions: false });
  expect(byName['Newsletter sign-up']).toEqual({
    kind: 'uet_goal',
    ...ids,
    tagId: '80500012',
    goalName: 'Newsletter sign-up',
    eventName: 'sign_up',
  });
  for (const { settings } of choices) {
    expect(goalSettingsSchema.parse(settings)).toEqual(settings);
    const { maxBatchSize } = sandbox.connector.traits(settings);
    expect(maxBatchSize).toBe(1_000);
  }
  expect(choices.map(({ settings }) => sandbox.connector.traits(settings).resend)).toEqual([
    'may_count_twice',
    'deduplicated',
    'deduplicated',
    'deduplicated',
  ]);
});

it('the traits of a goal that cannot receive events, and of no goal, are known', () => {
  const settings = { campaignManagementUrl: sandbox.url, developerToken: 'of this test', uetUrl: sandbox.url };
  const connector = microsoftConversionsConnector(settings);
  expect(connector.traits({ kind: 'uet_goal', tagId: '' }).resend).toBe('may_count_twice');
  expect(connector.traits({}).resend).toBe('deduplicated');
});
