import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { expectAccessible, openAt, SIZES } from './support/accessibility.ts';
import { anOrganization, aPerson, endSignIns } from './support/calls.ts';
import { allowAccess, denyAccess, open, openAs } from './support/steps.ts';

async function check(page: Page, name: string, ready: string | RegExp) {
  await expect(page.getByText(ready).first()).toBeVisible();
  await expectAccessible(page, name);
}

for (const size of SIZES)
  test(`app, account and source pages have no WCAG violations at ${size.name}`, async ({ browser }) => {
    const person = await aPerson();
    const organizationId = await anOrganization(person);
    const page = await openAt(browser, size);
    await openAs(page, person, `/${organizationId}/app`);
    await check(page, 'no apps', 'No apps yet');
    await open(page, `/${organizationId}/app/connect`);
    await page.getByText('Data and permissions').first().click();
    await check(page, 'catalog', 'Requested permissions');
    await page.getByRole('button', { name: 'Connect Meta Ads' }).click();
    await denyAccess(page, 'Facebook');
    await check(page, 'denied', 'Access was not granted');
    await page.getByRole('button', { name: 'Sign in with Meta again' }).click();
    await allowAccess(page, undefined, 'Facebook');
    await check(page, 'choosing accounts', 'Choose ad accounts');
    await page.getByRole('button', { name: /^Continue with \d+ account/ }).click();
    await check(page, 'connected', 'Meta Ads is connected');
    await page.getByRole('link', { name: 'Open source' }).click();
    await check(page, 'source', 'Attribution windows');
    await open(page, `/${organizationId}/source`);
    await check(page, 'sources', 'Ready');
    await open(page, `/${organizationId}/app`);
    await page.getByRole('link', { name: 'Meta Ads' }).click();
    await check(page, 'app', 'Sign-in history');
    await page.getByRole('link', { name: 'Accounts and defaults' }).click();
    await check(page, 'accounts', 'Source name');
    await open(page, '/metaReauth');
    await check(page, 'nothing to reconnect', 'All Meta sign-ins work');
    await endSignIns(organizationId);
    await open(page, '/metaReauth');
    await check(page, 'why the app needs reauthentication', /Meta ended the sign-in on/);
    await page.getByRole('link', { name: 'Meta Ads' }).click();
    await check(page, 'app that needs reauthentication', 'What happens when you reconnect');
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await check(page, 'disconnecting', 'What stays');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Share link' }).click();
    await page.getByRole('button', { name: 'Create link' }).click();
    await check(page, 'reconnect link', 'You won’t see this link again');
    await open(page, `/${organizationId}/app`);
    await check(page, 'apps, one needs reauthentication', 'Reconnect link pending');
    await open(page, `/${organizationId}/source`);
    await check(page, 'source that needs reauthentication', 'Reconnect needed');
    await page.context().close();
  });
