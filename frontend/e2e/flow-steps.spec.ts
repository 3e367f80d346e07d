import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { violationsOf } from './support/accessibility.ts';
import { aMember, anOrganization, aPerson } from './support/calls.ts';
import { connectSource, sources } from './support/pairs.ts';
import { allowAccess, denyAccess, fillInWarehouse, open, openAs, signIn } from './support/steps.ts';

async function openAt(page: Page, path: (organizationId: string) => string) {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await openAs(page, person, path(organizationId));
  return organizationId;
}

test('offers to start a connection for a step without flow and draft', async ({ page }) => {
  await openAt(page, () => '/bigquery');
  await expect(page.getByText('This setup step has expired')).toBeVisible();
  await page.getByRole('button', { name: 'Create a connection' }).click();
  await expect(page.getByRole('heading', { name: 'Create connection' })).toBeVisible();
});

test('opening a list ends the flow and keeps the draft, which can be resumed', async ({ page }) => {
  const organizationId = await openAt(page, (id) => `/${id}/createConnection`);
  await connectSource(page, sources[0]!);
  await expect(page.getByRole('radio', { name: /New BigQuery/ })).toBeVisible();
  await open(page, '/SourceSettings');
  await expect(page.getByRole('button', { name: 'Destination', exact: true })).toBeVisible();

  await open(page, `/${organizationId}/connection`);
  await expect(page.getByRole('heading', { name: 'Connections' })).toBeVisible();
  const stored = await page.evaluate(() => ['storedFrom', 'storedType', 'sourceKey'].map((key) => localStorage.getItem(key)));
  expect(stored).toEqual([null, null, null]);

  await open(page, '/SourceSettings');
  await page.getByRole('button', { name: 'Resume the draft' }).click();
  await expect(page.getByRole('radio', { name: /New BigQuery/ })).toBeVisible();
});

test('the draft of a user who signs out is not offered to the next user', async ({ page }) => {
  const owner = await aPerson();
  const organizationId = await anOrganization(owner);
  const member = await aMember(owner, organizationId, 'editor');
  await openAs(page, owner, `/${organizationId}/createConnection`);
  await connectSource(page, sources[0]!);
  await expect(page.getByRole('radio', { name: /New BigQuery/ })).toBeVisible();
  await page.getByRole('button', { name: /Account menu/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await signIn(page, member);
  await open(page, '/SourceSettings');
  await expect(page.getByRole('button', { name: 'Create a connection' })).toBeVisible();
});

test('continues with the settings after a BigQuery sign-in or the choice of an existing destination', async ({ page }) => {
  await openAt(page, (id) => `/${id}/createConnection`);
  await connectSource(page, sources[0]!);
  await page.getByRole('radio', { name: /New BigQuery/ }).check();
  await page.getByRole('radio', { name: /Sign in with Google/ }).check();
  await page.getByRole('button', { name: 'Sign in with Google' }).click();
  await allowAccess(page, 'demo@example.com');
  await expect(page).toHaveURL(/\/bigquery\?app=/);
  await page.getByRole('textbox', { name: 'Project id' }).fill('northwind-marketing');
  await page.getByRole('textbox', { name: 'Dataset' }).fill('flow');
  await page.getByRole('button', { name: 'Test and continue' }).click();
  await expect(page.getByRole('region', { name: 'Streams' })).toBeVisible();
  await expect(page.getByText('northwind-marketing.flow')).toBeVisible();

  await open(page, '/addDestination');
  await page.getByRole('link', { name: 'Select BigQuery' }).click();
  await expect(page.getByRole('region', { name: 'Streams' })).toBeVisible();
  await open(page, '/addSource');
  await page
    .getByRole('link', { name: /^Select / })
    .first()
    .click();
  await expect(page.getByRole('region', { name: 'Destination' })).toBeVisible();
});

test('reaches the last step of the wizard by keyboard only', async ({ page }) => {
  await openAt(page, (id) => `/${id}/createConnection`);
  await connectSource(page, sources[0]!);
  const kinds = page.getByRole('radiogroup', { name: 'Destination' });
  await kinds.getByRole('radio').first().focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('heading', { name: 'New PostgreSQL' })).toBeVisible();
  await fillInWarehouse(page);
  await page.getByLabel('Password', { exact: true }).press('Enter');
  await expect(page.getByRole('region', { name: 'Streams' })).toBeVisible();
  const stream = page.getByRole('checkbox', { name: 'ad_group_daily', exact: true });
  await expect(stream).toBeChecked();
  await stream.focus();
  await page.keyboard.press('Space');
  await expect(stream).not.toBeChecked();
  await page.getByRole('button', { name: 'Review' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'First rows' })).toBeVisible();
});

const currentStep = (page: Page) => page.getByRole('list', { name: 'Steps' }).locator('[aria-current=step]');

test('the source settings show the steps of the wizard, and lead back to its sources', async ({ page }) => {
  const organizationId = await openAt(page, (id) => `/${id}/createConnection`);
  await connectSource(page, sources[0]!);
  await expect(page.getByRole('radio', { name: /New BigQuery/ })).toBeVisible();
  await open(page, '/SourceSettings');
  await expect(page.getByRole('button', { name: 'Destination', exact: true })).toBeVisible();
  await expect(currentStep(page)).toContainText('Source');
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/${organizationId}/createConnection\\?step=source$`));

  // Outside the flow, the same page has no steps.
  await open(page, '/SourceSettings');
  await expect(currentStep(page)).toContainText('Source');
  await page.evaluate(() => localStorage.setItem('storedFrom', 'app'));
  await page.reload();
  await expect(page.getByRole('button', { name: 'Continue', exact: true })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Steps' })).toHaveCount(0);
});

test('a denied BigQuery consent stays in the wizard, and leads on or back to the destinations', async ({ page }) => {
  const organizationId = await openAt(page, (id) => `/${id}/createConnection`);
  await connectSource(page, sources[0]!);
  const signInAtGoogle = async () => {
    await page.getByRole('radio', { name: /New BigQuery/ }).check();
    await page.getByRole('radio', { name: /Sign in with Google/ }).check();
    await page.getByRole('button', { name: 'Sign in with Google' }).click();
  };
  await signInAtGoogle();
  await denyAccess(page);
  await expect(page.getByText('Access was not granted')).toBeVisible();
  await expect(currentStep(page)).toContainText('Destination');
  await expect(page.getByRole('link', { name: 'Source, done' })).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('link', { name: 'Back to the destinations' }).click();
  await expect(page).toHaveURL(new RegExp(`/${organizationId}/createConnection\\?step=destination$`));
  await expect(page.getByRole('radio', { name: /New BigQuery/ })).toBeChecked();

  await signInAtGoogle();
  await denyAccess(page);
  await page.getByRole('button', { name: 'Sign in with Google again' }).click();
  await allowAccess(page, 'demo@example.com');
  await expect(page.getByRole('textbox', { name: 'Project id' })).toBeVisible();
  await expect(currentStep(page)).toContainText('Destination');
  await expect(page.getByRole('link', { name: 'Source, done' })).toBeVisible();
});

test('a consent without ad accounts stays in the wizard, and leads on or back to the sources', async ({ page }) => {
  const organizationId = await openAt(page, (id) => `/${id}/createConnection`);
  await page.getByRole('button', { name: 'Connect Google Ads' }).click();
  await allowAccess(page, 'nobody@example.com');
  await expect(page.getByText('This Google user has no ad accounts')).toBeVisible();
  await expect(currentStep(page)).toContainText('Source');
  await expect(page.getByRole('button', { name: 'Sign in as another user' })).toBeVisible();
  await page.getByRole('link', { name: 'Back to the sources' }).click();
  await expect(page).toHaveURL(new RegExp(`/${organizationId}/createConnection\\?step=source$`));
});
