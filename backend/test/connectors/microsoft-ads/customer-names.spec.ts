import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { aContext } from '../context.js';
import { startMicrosoftSandbox, type MicrosoftSandbox } from './microsoft-sandbox.js';

let sandbox: MicrosoftSandbox;
beforeAll(async () => void (sandbox = await startMicrosoftSandbox()));
afterEach(() => sandbox.clearFaults());
afterAll(() => sandbox.stop());

const listAccounts = async (fault: Record<string, unknown> | null = null) => {
  const source = sandbox.source(await sandbox.signIn());
  if (fault) await sandbox.addFault(fault);
  return source.listAccounts(aContext());
};

it('accounts are listed with the id of their customer if the user may not see the names of customers', async () => {
  const named = await listAccounts();
  expect(named.length).toBeGreaterThan(0);
  const listed = await listAccounts({ fault: 'not_authorized', event: 'customers' });
  expect(listed).toEqual(named.map((account) => ({ ...account, managerName: account.managerId })));
});

it('another user must connect if this one may not list accounts', async () => {
  await expect(listAccounts({ fault: 'not_authorized', event: 'accounts' })).rejects.toMatchObject({ name: 'ReconnectNeeded' });
});

it('accounts are not listed if access ends while the names of customers are read', async () => {
  await expect(listAccounts({ fault: 'revoke', afterRequests: 2 })).rejects.toMatchObject({ name: 'ReconnectNeeded' });
});
