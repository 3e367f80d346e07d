import { expect, test } from '@playwright/test';
import { addFault, anOrganization, aPerson, post } from './support/calls.ts';
import { openConnection } from './support/connections.ts';
import { instance } from './support/instance.ts';
import { mailsTo } from './support/mail.ts';
import { newPrefix } from './support/prefixes.ts';
import { allowAccess, openAs } from './support/steps.ts';

/** A Google user that no other test uses, because the fault ends all sign-ins of this user. */
const GOOGLE_USER = 'bench@example.com';

test('shows a revoked Google sign-in with one action, notifies once, and recovers after reconnecting', async ({ page }) => {
  const { person } = await openConnection(page, { user: GOOGLE_USER, prefix: newPrefix('reconnect'), name: 'Search' });
  await expect(page.getByRole('progressbar', { name: 'Run' })).toHaveCount(0);

  await addFault({ provider: 'google-ads', fault: 'revoke', user: GOOGLE_USER });
  await page.getByRole('button', { name: 'Run now' }).click();
  await expect(page.getByText('Reconnect needed').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Run now' })).toBeDisabled();

  const navigation = page.getByRole('navigation', { name: 'Main' });
  await navigation.getByRole('link', { name: /^Alerts\s*1 open$/ }).click();
  const alert = page.getByRole('list', { name: 'Open alerts' }).getByRole('listitem');
  await expect(alert).toHaveCount(1);
  await expect(alert.getByRole('heading')).toContainText('needs a new sign-in');
  await alert.getByRole('link', { name: 'Reconnect' }).click();
  await expect(page.getByText('What happens when you reconnect')).toBeVisible();
  await page.getByRole('button', { name: 'Reconnect with Google' }).click();
  await allowAccess(page, GOOGLE_USER);
  await expect(page.getByRole('heading', { name: 'Google Ads is reconnected' })).toBeVisible();
  await expect(page).not.toHaveURL(/code=|state=/);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Google Ads is reconnected' })).toBeVisible();
  await expect(page.getByText('All up to date')).toBeVisible();
  await page.getByRole('link', { name: 'Continue' }).click();
  await expect(page.getByText('Connected', { exact: true }).first()).toBeVisible();
  await page.getByRole('link', { name: 'Search', exact: true }).click();
  await expect(page.getByText('Reconnect needed')).toHaveCount(0);

  await navigation.getByRole('link', { name: 'Alerts', exact: true }).click();
  await expect(page.getByText('No open alerts')).toBeVisible();
  await page.getByRole('link', { name: 'Recovered' }).click();
  await expect(page.getByRole('list', { name: 'Recovered alerts' }).getByRole('listitem')).toHaveCount(1);
  const subjects = async () =>
    (await mailsTo(person.email)).map(({ subject }) => subject).filter((subject) => /sign-in|again/.test(subject));
  await expect.poll(subjects).toHaveLength(2);
});

test('a link to reconnect one app describes that app, not all sign-ins of the platform', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  const apps = `${instance().url}/api/v1/organizations/${organizationId}/apps`;
  const { id } = await post<{ id: string }>(apps, { provider: 'meta_ads' }, person.token);
  await openAs(page, person, `/metaReauth?app=${id}`);
  await expect(page.getByText('Meta Ads does not need to be reconnected')).toBeVisible();
  await expect(page.getByText('Its state is “Not connected yet”.')).toBeVisible();
  await page.getByRole('link', { name: 'Open app' }).click();
  await expect(page).toHaveURL(new RegExp(`/app/${id}`));
});
