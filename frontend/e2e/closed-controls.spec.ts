import { expect, test } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { aMember, anOrganization, aPerson, endSignIns } from './support/calls.ts';
import { connectSource, sources } from './support/pairs.ts';
import { open, signIn } from './support/steps.ts';
import { aWarehouse, theSource } from './support/things.ts';

/** What a role may not do stays where it is, closed, with the reason beside it. */

async function expectClosed(page: Page, button: Locator, reason: string): Promise<void> {
  await expect(button).toBeDisabled();
  await expect(page.getByText(reason, { exact: true }).first()).toBeVisible();
}

test('a viewer finds every control of apps, sources and destinations closed, and is told whom it takes', async ({ browser }) => {
  test.setTimeout(120_000);
  const owner = await aPerson();
  const organizationId = await anOrganization(owner);
  const page = await browser.newPage();
  await open(page, `/${organizationId}/source`);
  await signIn(page, owner);
  await page.getByRole('link', { name: 'Add source' }).click();
  await expect(page.getByRole('heading', { name: 'Add source' })).toBeVisible();
  await connectSource(page, sources[1]!);
  await page.getByRole('link', { name: 'Open source' }).click();
  await expect(page.getByRole('button', { name: 'Save source' })).toBeVisible();
  const { appId } = await theSource(owner, organizationId);
  const destinationId = await aWarehouse(owner, organizationId, 'closed_');
  const viewer = await aMember(owner, organizationId, 'viewer');
  await page.close();

  const seen = await browser.newPage();
  await open(seen, `/${organizationId}/source`);
  await signIn(seen, viewer);
  const button = (name: string | RegExp) => seen.getByRole('button', { name });
  await expectClosed(seen, button('Add source'), 'Needs an editor');
  await open(seen, '/addSource');
  await expectClosed(seen, button('Connect Meta Ads'), 'Needs an admin');
  await open(seen, `/${organizationId}/MetaAds?app=${appId}`);
  await expectClosed(seen, button(/^Continue with \d+ accounts?$/), 'Needs an editor to choose accounts');
  await open(seen, `/${organizationId}/destination`);
  await expectClosed(seen, button('Add destination'), 'Needs an admin');
  await open(seen, `/${organizationId}/destination/${destinationId}/configuration`);
  await expectClosed(seen, button('Save destination'), 'Needs an admin');
  await expect(button('Check')).toBeDisabled();
  for (const name of ['Name', 'Host', 'Database']) await expect(seen.getByRole('textbox', { name })).toBeDisabled();

  await endSignIns(organizationId);
  await open(seen, `/${organizationId}/app/${appId}`);
  await expectClosed(seen, button('Reconnect with Meta'), 'Needs an admin to reconnect');
  await expectClosed(seen, button('Share link'), 'Needs an admin to reconnect');
  await expectClosed(seen, button('Rename'), 'Needs an admin');
  await open(seen, `/${organizationId}/app`);
  await expectClosed(seen, button('Connect app'), 'Needs an admin');
  await expectClosed(seen, button('Reconnect with Meta'), 'Needs an admin to reconnect');
  await seen.close();
});

test('accounts of an app that must reconnect cannot be chosen, and the way to reconnect it stands there', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await open(page, '/addSource');
  await signIn(page, person);
  await connectSource(page, sources[1]!);
  await expect(page.getByRole('heading', { name: 'Meta Ads is connected' })).toBeVisible();
  const { appId } = await theSource(person, organizationId);
  // A second source of the same accounts is not called the same.
  await open(page, '/addSource');
  await page.getByRole('link', { name: 'Select accounts' }).click();
  await page.getByRole('checkbox', { name: 'All accounts' }).uncheck();
  await page.getByRole('treeitem').filter({ hasText: sources[1]!.accountId }).click();
  await expect(page.getByRole('textbox', { name: 'Source name' })).toHaveValue(`${sources[1]!.accountName} 2`);

  await endSignIns(organizationId);
  await open(page, `/${organizationId}/MetaAds?app=${appId}`);
  await expect(page.getByRole('button', { name: /^Continue with \d+ accounts?$/ })).toBeDisabled();
  await expect(page.getByText('Reconnect the app first')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Reconnect with Meta' })).toBeEnabled();
});
