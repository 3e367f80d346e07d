import { expect, test } from '@playwright/test';
import { addFault, anOrganization, aPerson } from './support/calls.ts';
import { allowAccess, createConnection, open, signIn } from './support/steps.ts';

/** A Google user that no other test uses, because the fault ends all sign-ins of this user. */
const GOOGLE_USER = 'bench@example.com';

test('shows a revoked Google sign-in with one action, and the connection recovers after reconnecting', async ({ page }) => {
  test.setTimeout(150_000);
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await open(page, `/${organizationId}/createConnection`);
  await signIn(page, person);
  await createConnection(page, { user: GOOGLE_USER, prefix: 'reconnect_', name: 'Search' });
  await expect(page.getByRole('progressbar', { name: 'Run' })).toHaveCount(0, { timeout: 60_000 });

  await addFault({ provider: 'google-ads', fault: 'revoke', user: GOOGLE_USER });
  await page.getByRole('button', { name: 'Run now' }).click();
  await expect(page.getByText('Reconnect needed').first()).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('button', { name: 'Run now' })).toBeDisabled();

  await page.getByRole('link', { name: 'Reconnect with Google Ads' }).click();
  await expect(page.getByText('What happens when you reconnect')).toBeVisible();
  await page.getByRole('button', { name: 'Reconnect with Google' }).click();
  await allowAccess(page, GOOGLE_USER);
  await expect(page.getByRole('heading', { name: 'Google Ads is reconnected' })).toBeVisible();
  await expect(page.getByText('All up to date')).toBeVisible({ timeout: 60_000 });
  await page.getByRole('link', { name: 'Continue' }).click();
  await expect(page.getByText('Connected', { exact: true }).first()).toBeVisible();
  await page.getByRole('link', { name: 'Search', exact: true }).click();
  await expect(page.getByText('Reconnect needed')).toHaveCount(0, { timeout: 60_000 });
});
