import { expect } from '@playwright/test';
import { aMember, anOrganization, aPerson, newEmail } from './support/calls.ts';
import { failAllPayments, passDays, payAtCheckout, payAtPortal, subscribe, test, untilAccess } from './support/billing.ts';
import { newPrefix } from './support/prefixes.ts';
import { createConnection, open, signIn, signUp } from './support/steps.ts';
import { openVerificationMail } from './support/verification.ts';

const organizationIn = (url: string): string => new URL(url).pathname.split('/')[1] ?? '';

test('keeps all data from trial to overdue, lapsed and paid, and loads the missed days', async ({ page }) => {
  await open(page, '/signUp');
  const email = newEmail();
  await signUp(page, email);
  await openVerificationMail(email);
  await page.getByRole('button', { name: 'I’ve verified it' }).click();
  await page.getByLabel('Company name').fill('Northwind');
  await page.getByRole('button', { name: 'Create organization' }).click();
  await page.getByRole('button', { name: /Try with sample data/ }).click();

  await expect(page).toHaveURL(/\/subscription$/);
  const organizationId = organizationIn(page.url());
  await expect(page.getByText('A plan is required to load data')).toBeVisible();
  await page.getByRole('button', { name: 'Start free trial' }).click();
  await payAtCheckout(page, 'Card that fails later');

  await expect(page.getByText('The plan is active')).toBeVisible();
  await expect(page).toHaveURL(/\/createConnection\?step=source$/);
  const name = 'Search to warehouse';
  await createConnection(page, { prefix: newPrefix('billed'), name });
  await expect(page.getByText('Healthy', { exact: true })).toBeVisible();
  const connection = page.url();

  await passDays(organizationId, 15);
  const banner = page.getByRole('complementary', { name: 'Subscription' });
  await expect(async () => {
    await page.reload();
    // The banner counts calendar days. There is one day less when midnight passes after the failed payment.
    await expect(banner).toContainText(/The last payment failed\. [67] days left/, { timeout: 5_000 });
  }).toPass();
  await expect(page.getByRole('button', { name: 'Run now' })).toBeEnabled();

  await failAllPayments(organizationId);
  await expect(async () => {
    await page.getByRole('button', { name: 'Run now' }).click();
    await expect(page.getByRole('alert').getByRole('link', { name: 'Choose a plan' })).toBeVisible({ timeout: 5_000 });
  }).toPass();
  await page.getByRole('alert').getByRole('link', { name: 'Choose a plan' }).click();

  await expect(page).toHaveURL(new RegExp(`/${organizationId}/subscription$`));
  await expect(page.getByText(/^A payment is overdue, so runs stopped/)).toBeVisible();
  await expect(page.getByText('Runs of 1 connection')).toBeVisible();
  await page.getByRole('link', { name }).click();
  await expect(page.getByRole('heading', { name })).toBeVisible();
  await expect(page.getByText('Paused', { exact: true }).first()).toBeVisible();
  await expect(banner).toContainText('No data was deleted.');
  await expect(page.getByRole('button', { name: 'Run now' })).toBeDisabled();
  await page.getByRole('link', { name: /^Connections\s+requires a plan/ }).click();
  await expect(page).toHaveURL(new RegExp(`/${organizationId}/subscription$`));

  await page.getByRole('button', { name: 'Update payment' }).click();
  await payAtPortal(page);
  await expect(page.getByRole('region', { name: 'Plan' }).getByText('Active')).toBeVisible();
  await open(page, `${new URL(connection).pathname}?tab=runs`);
  await expect(page.getByRole('table').getByText(/catch/i).first()).toBeVisible();
  await expect(page.getByText('Healthy', { exact: true })).toBeVisible();
  await expect(banner).toHaveCount(0);
});

test('shows that the checkout was left, and allows a retry', async ({ page }) => {
  const owner = await aPerson();
  const organizationId = await anOrganization(owner);
  await open(page, `/${organizationId}/connection`);
  await signIn(page, owner);
  await page.getByRole('button', { name: 'Start free trial' }).click();
  await page.getByRole('link', { name: 'Cancel and go back' }).click();
  await expect(page.getByText('The checkout was canceled')).toBeVisible();
  await expect(page.getByText(/^You were not charged\./)).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await payAtCheckout(page, 'Card that works');
  await expect(page).toHaveURL(new RegExp(`/${organizationId}/connection$`));
});

test('rejects a missing checkout and one of another organization', async ({ page }) => {
  const owner = await aPerson();
  const organizationId = await anOrganization(owner);
  await open(page, `/${organizationId}/subscription/success?session_id=cs_test_of_another_organization`);
  await signIn(page, owner);
  await expect(page.getByRole('progressbar', { name: 'Confirmation' })).toBeVisible();
  await expect(page.getByText('This checkout does not belong to Northwind')).toBeVisible();
  await open(page, '/subscription/success');
  await expect(page.getByText('This checkout does not belong to Northwind')).toBeVisible();
  await page.getByRole('link', { name: 'Go to Subscription' }).click();
  await expect(page.getByRole('button', { name: 'Start free trial' })).toBeVisible();
});

test('shows the fixed text when Stripe is not available', async ({ page }) => {
  const owner = await aPerson();
  const organizationId = await anOrganization(owner);
  await open(page, `/${organizationId}/subscription`);
  await signIn(page, owner);
  await expect(page.getByRole('button', { name: 'Start free trial' })).toBeVisible();
  await page.route('**/billing/customer', (route) => route.abort());
  await page.getByRole('button', { name: 'Start free trial' }).click();
  await expect(page.getByRole('alert')).toContainText('Failed to create customer: Tributary could not be reached.');
});

test('allows only owners to subscribe and names the owner to other members', async ({ page }) => {
  const owner = await aPerson();
  const organizationId = await anOrganization(owner);
  const editor = await aMember(owner, organizationId, 'editor');
  await open(page, `/${organizationId}/app`);
  await signIn(page, editor);
  await expect(page).toHaveURL(new RegExp(`/${organizationId}/subscription$`));
  await expect(page.getByRole('button', { name: 'Start free trial' })).toBeDisabled();
  await expect(page.getByText('Requires the Owner role: ask Owner')).toBeVisible();
  await page.getByRole('link', { name: 'Open settings' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  await expect(page.getByRole('complementary', { name: 'Subscription' })).toContainText('A plan is required');
});

test('redirects to the subscription when it cannot be loaded, and back after a retry', async ({ page }) => {
  const owner = await aPerson();
  const organizationId = await anOrganization(owner);
  await subscribe(owner, organizationId);
  await page.route('**/api/getOrganizationData*', (route) => route.fulfill({ status: 500, body: '{}' }));
  await page.route(/\/api\/v1\/organizations\/[^/]+\/subscription$/, (route) => route.fulfill({ status: 500, body: '{}' }));
  await open(page, `/${organizationId}/settings?tab=team`);
  await signIn(page, owner);
  await expect(page).toHaveURL(new RegExp(`/${organizationId}/subscription$`));
  await expect(page.getByText('Couldn’t load the subscription')).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page).toHaveURL(new RegExp(`/${organizationId}/settings\\?tab=team$`));
});

test('shows the usage and the remaining days of the trial', async ({ page }) => {
  const owner = await aPerson();
  const organizationId = await anOrganization(owner);
  await subscribe(owner, organizationId);
  await untilAccess(owner, organizationId, 'open');
  await open(page, `/${organizationId}/settings?tab=usage`);
  await signIn(page, owner);
  await expect(page.getByText('No rows in the last 30 days.')).toBeVisible();
  await page.getByRole('link', { name: 'Plan and billing' }).click();
  await expect(page.getByRole('meter', { name: 'Trial' })).toHaveAttribute('aria-valuetext', '14 of 14 days left');
  await page.getByRole('button', { name: 'Manage billing' }).click();
  await page.getByRole('button', { name: 'Cancel subscription' }).click();
  await page.getByRole('link', { name: 'Back to Tributary' }).click();
  await expect(page.getByText(/^Canceled: the plan ends on/)).toBeVisible();
});

test('enables the checkout again after the browser’s Back button', async ({ page }) => {
  const owner = await aPerson();
  const organizationId = await anOrganization(owner);
  await open(page, `/${organizationId}/subscription`);
  await signIn(page, owner);
  await page.route('**/subscription/checkout', () => undefined);
  const button = page.getByRole('button', { name: 'Start free trial' });
  await button.click();
  await expect(button).toBeDisabled();
  // The event of a page that the browser restores from its cache.
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  await expect(button).toBeEnabled();
});

test('offers to pay the overdue subscription after an unfinished checkout', async ({ page }) => {
  const owner = await aPerson();
  const organizationId = await anOrganization(owner);
  await subscribe(owner, organizationId);
  await failAllPayments(organizationId);
  await untilAccess(owner, organizationId, 'closed');
  await open(page, `/${organizationId}/subscription/failure`);
  await signIn(page, owner);
  await page.getByRole('button', { name: 'Update payment' }).click();
  await payAtPortal(page);
  await expect(page.getByRole('region', { name: 'Plan' }).getByText('Active')).toBeVisible();
});
