import { expect, test } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { aMember, anOrganization, aPerson, endSignIns } from './support/calls.ts';
import { aSource } from './support/connections.ts';
import { connectSource, sources } from './support/pairs.ts';
import { newPrefix } from './support/prefixes.ts';
import { open, openAs, startSignedIn } from './support/steps.ts';
import { createWarehouse, findSource } from './support/resources.ts';

/** Controls without permission are shown, disabled, with the reason next to them. */

async function expectDisabled(page: Page, button: Locator, reason: string): Promise<void> {
  await expect(button).toBeDisabled();
  await expect(page.getByText(reason, { exact: true }).first()).toBeVisible();
}

test('disables all controls of apps, sources and destinations for a viewer and names the required role', async ({ browser }) => {
  const owner = await aPerson();
  const organizationId = await anOrganization(owner);
  const page = await browser.newPage();
  await openAs(page, owner, `/${organizationId}/source`);
  await page.getByRole('link', { name: 'Add source' }).click();
  await expect(page.getByRole('heading', { name: 'Add source' })).toBeVisible();
  await connectSource(page, sources[1]!);
  await page.getByRole('link', { name: 'Open source' }).click();
  await expect(page.getByRole('button', { name: 'Save source' })).toBeVisible();
  const { appId } = await findSource(owner, organizationId);
  const destinationId = await createWarehouse(owner, organizationId, newPrefix('closed'));
  const viewer = await aMember(owner, organizationId, 'viewer');
  await page.close();

  const viewerPage = await browser.newPage();
  await openAs(viewerPage, viewer, `/${organizationId}/source`);
  const button = (name: string | RegExp) => viewerPage.getByRole('button', { name });
  await expectDisabled(viewerPage, button('Add source'), 'Requires the Editor role');
  await open(viewerPage, '/addSource');
  await expectDisabled(viewerPage, button('Connect Meta Ads'), 'Requires the Admin role');
  await open(viewerPage, `/${organizationId}/MetaAds?app=${appId}`);
  await expectDisabled(viewerPage, button(/^Continue with \d+ accounts?$/), 'Requires the Editor role to choose accounts');
  await open(viewerPage, `/${organizationId}/destination`);
  await expectDisabled(viewerPage, button('Add destination'), 'Requires the Admin role');
  await open(viewerPage, `/${organizationId}/destination/${destinationId}/configuration`);
  await expectDisabled(viewerPage, button('Save destination'), 'Requires the Admin role');
  await expect(button('Test connection')).toBeDisabled();
  for (const name of ['Name', 'Host', 'Database']) await expect(viewerPage.getByRole('textbox', { name })).toBeDisabled();

  await endSignIns(organizationId);
  await open(viewerPage, `/${organizationId}/app/${appId}`);
  await expectDisabled(viewerPage, button('Reconnect with Meta'), 'Requires the Admin role to reconnect');
  await expectDisabled(viewerPage, button('Share link'), 'Requires the Admin role to reconnect');
  await expectDisabled(viewerPage, button('Rename'), 'Requires the Admin role');
  await open(viewerPage, `/${organizationId}/app`);
  await expectDisabled(viewerPage, button('Connect app'), 'Requires the Admin role');
  await expectDisabled(viewerPage, button('Reconnect with Meta'), 'Requires the Admin role to reconnect');
  await viewerPage.close();
});

test('requests the required roles only for a user without one of the permissions', async ({ page, browser }) => {
  const owner = await aPerson();
  const organizationId = await anOrganization(owner);
  const viewerPage = await (await browser.newContext()).newPage();
  const requested: string[] = [];
  const follow = (tab: Page, role: string) =>
    tab.on('request', (request) => void (request.url().endsWith('/api/v1/policy') && requested.push(role)));
  follow(page, 'owner');
  follow(viewerPage, 'viewer');
  await openAs(page, owner, `/${organizationId}/source`);
  await expect(page.getByRole('link', { name: 'Add source' })).toBeVisible();
  await openAs(viewerPage, await aMember(owner, organizationId, 'viewer'), `/${organizationId}/source`);
  await expectDisabled(viewerPage, viewerPage.getByRole('button', { name: 'Add source' }), 'Requires the Editor role');
  expect(requested).toEqual(['viewer']);
  await viewerPage.context().close();
});

test('disables the account choice of an app that needs reauthentication, and offers to reconnect', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await startSignedIn(page, person);
  const { appId } = await aSource(person, organizationId, sources[1]!);
  // A second source of the same accounts gets another name.
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
