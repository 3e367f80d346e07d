import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { actionSettingsSchema } from '../../../src/connectors/google-data-manager/settings.js';
import { aContext } from '../context.js';
import { accountNamed, countStates, preparedMany, tokensOf } from '../conversions/sending.js';
import { startGoogleSandbox, type GoogleSandbox } from './google-sandbox.js';

let sandbox: GoogleSandbox;
beforeAll(async () => void (sandbox = await startGoogleSandbox()));
afterEach(() => sandbox.clearFaults());
afterAll(() => sandbox.stop());

it.each([
  ['throttle', { name: 'RetryLater', failureClass: 'quota' }],
  ['server_error', { name: 'RetryLater', failureClass: 'transient' }],
  ['drop_connection', { name: 'RetryLater' }],
])('listing fails after %s', async (fault, error) => {
  const account = await accountNamed(sandbox.source, 'Northwind US');
  await sandbox.addFault({ fault });
  await expect(sandbox.connector.listChoices(aContext(), sandbox.tokens, account)).rejects.toMatchObject(error);
});

it('listing requires a reconnect if the scope for Google Ads was not granted', async () => {
  const account = await accountNamed(sandbox.source, 'Northwind US');
  const { accessToken } = await sandbox.signIn('demo@example.com', []);
  await expect(sandbox.connector.listChoices(aContext(), tokensOf(accessToken), account)).rejects.toMatchObject({
    name: 'ReconnectNeeded',
  });
});

it('listing names a missing permission', async () => {
  const account = await accountNamed(sandbox.source, 'Northwind US');
  await sandbox.addFault({ fault: 'permission', customerId: account.externalId });
  await expect(sandbox.connector.listChoices(aContext(), sandbox.tokens, account)).rejects.toMatchObject({
    name: 'FixSettings',
    code: 'google_data_manager.actions_http_403',
  });
});

it('only actions for events of clicks can be chosen', async () => {
  const choices = await sandbox.choicesOf('Northwind US');
  expect(choices.map(({ name }) => name)).toEqual(['Order (import)', 'Qualified lead (import)', 'Signed contract (import)']);
  expect(choices[0]).toEqual({
    settings: {
      accountId: '9001000012',
      api: 'data_manager',
      loginAccountId: '9001000001',
      conversionActionId: '7010000124',
      transactionIdPrefix: 'ord-',
    },
    name: 'Order (import)',
    kind: 'conversion action',
    problem: null,
  });
  for (const { settings } of choices) expect(actionSettingsSchema.parse(settings)).toEqual(settings);
});

it('an action of the manager is sent to the manager', async () => {
  const [choice] = await sandbox.choicesOf('Northwind JP');
  expect(choice?.settings).toMatchObject({ accountId: '9001000001', loginAccountId: null });
  const target = await sandbox.target({ accountName: 'Northwind JP' });
  const identifiers = { gclid: await sandbox.gclid('9001000013') };
  const result = await target.send(
    aContext(),
    preparedMany(target, 'manager', 2, { identifiers, value: '500', currency: 'JPY' }),
  );
  expect(countStates(result)).toEqual({ pending: 2 });
  expect((await sandbox.stored('ord-manager-')).map(({ customerId }) => customerId)).toEqual(['9001000001', '9001000001']);
});

it('settings with other fields are rejected', () => {
  const settings = { accountId: '1', loginAccountId: null, conversionActionId: '2', developerToken: 'x' };
  expect(actionSettingsSchema.safeParse(settings).success).toBe(false);
});
