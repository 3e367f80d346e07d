import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { addFault, anOrganization, aPerson, post, slowGoogle } from './support/calls.ts';
import { instance } from './support/instance.ts';
import { connectSource, sources } from './support/pairs.ts';
import { newPrefix } from './support/prefixes.ts';
import { createWarehouse } from './support/resources.ts';
import { openAs } from './support/steps.ts';

/** The result of the first run of a new connection is reported, like that of a run that the user started with a button. */

// One after the other: the fault of one test is that of the account that the other one loads.
test.describe.configure({ mode: 'default' });

const [, account] = sources[0]!.otherAccounts;
const source = { ...sources[0]!, ...account };

/** Chooses everything up to the review of a connection that loads the last 30 days. */
async function toReview(page: Page, name: string): Promise<string> {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await createWarehouse(person, organizationId, newPrefix('firstend'));
  await openAs(page, person, `/${organizationId}/createConnection`);
  await connectSource(page, source);
  await page.getByRole('radio', { name: /^Warehouse/ }).check();
  await page.getByRole('button', { name: 'Configure' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('region', { name: 'Start date' }).getByText('30 days', { exact: true }).click();
  await page.getByRole('button', { name: 'Review' }).click();
  await expect(page.getByRole('heading', { name: 'First rows' })).toBeVisible();
  return organizationId;
}

const created = (page: Page, name: string) => page.getByText(`${name} created, initial load started`);

test('reports the end of the initial load with its counts, on any page', async ({ page }) => {
  const organizationId = await toReview(page, 'Spring');
  const endSlowness = await slowGoogle(source.accountId);
  await page.getByRole('button', { name: 'Create connection' }).click();
  await expect(created(page, 'Spring')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Spring', level: 1 })).toBeVisible();
  await page.getByRole('link', { name: 'Connections', exact: true }).first().click();
  await expect(page.getByRole('row', { name: /Spring/ })).toContainText('Backfilling');
  await endSlowness();
  await expect(page.getByText(/^Spring: [\d,]+ rows verified, \d+ chunks? in \d+ s$/)).toBeVisible();
  await expect(created(page, 'Spring')).toHaveCount(0);
  await expect(page.getByRole('row', { name: /Spring/ })).toContainText('Every row verified');
  expect(page.url()).toContain(organizationId);
});

test('reports why the initial load failed, and why the run after it failed', async ({ page }) => {
  await toReview(page, 'Closed');
  const { id } = await addFault({ provider: 'google-ads', fault: 'permission', customerId: source.accountId });
  try {
    await page.getByRole('button', { name: 'Create connection' }).click();
    const failed = page.getByText(/^Closed: run (failed|partial)\. /);
    await expect(failed).toBeVisible();
    await expect(created(page, 'Closed')).toHaveCount(0);
    await page.getByRole('link', { name: 'Connections', exact: true }).first().click();
    await expect(failed).toHaveCount(0);

    // The message that a run has started does not outlast the run.
    await page.getByRole('button', { name: 'More for Closed' }).click();
    await page.getByRole('menuitem', { name: 'Run now' }).click();
    await expect(failed).toBeVisible();
    await expect(page.getByText('Run of Closed started')).toHaveCount(0);
  } finally {
    await post(`${instance().sandboxUrl}/admin/faults/${id}/clear`, {});
  }
});
