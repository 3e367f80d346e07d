import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { anOrganization, aPerson, renameOrganization } from './support/calls.ts';
import type { Person } from './support/calls.ts';
import { newPrefix } from './support/prefixes.ts';
import { createWarehouse } from './support/resources.ts';
import { open, openAs, signIn } from './support/steps.ts';

/** What the last visit saw is shown at once, marked with its time. */

const warehouse = (page: Page) => page.getByRole('link', { name: 'Warehouse' });
const banner = (page: Page) => page.getByRole('alert').filter({ hasText: 'Couldn’t load newer data' });

/** The texts of all stored entries of this browser. */
const storedContents = (page: Page): Promise<string> =>
  page.evaluate(
    () =>
      new Promise<string>((resolve, reject) => {
        const request = indexedDB.open('tributary-read-cache', 1);
        request.onerror = () => reject(new Error('The database could not be opened'));
        request.onsuccess = () => {
          const all = request.result.transaction('entries').objectStore('entries').getAll();
          all.onsuccess = () => {
            request.result.close();
            resolve(JSON.stringify(all.result));
          };
        };
      }),
  );

const withoutServer = (page: Page) => page.route('**/api/**', (route) => route.abort('internetdisconnected'));

/** A user who has visited the list of destinations. */
async function aVisit(page: Page): Promise<{ person: Person; organizationId: string; list: string }> {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await createWarehouse(person, organizationId, newPrefix('stale'));
  const list = `/${organizationId}/destination`;
  await openAs(page, person, list);
  await expect(warehouse(page)).toBeVisible();
  await expect.poll(() => storedContents(page)).toContain('Warehouse');
  return { person, organizationId, list };
}

test('without the server, shows the last visit under a banner, and refreshes it on request', async ({ page }) => {
  const { list } = await aVisit(page);
  await withoutServer(page);
  await page.reload();
  await expect(warehouse(page)).toBeVisible();
  await expect(banner(page)).toContainText('what you saw on your last visit');
  await expect(page).toHaveURL(new RegExp(`${list}$`));
  await page.unroute('**/api/**');
  await banner(page).getByRole('button', { name: 'Try again' }).click();
  await expect(banner(page)).toHaveCount(0);
  await expect(warehouse(page)).toBeVisible();
});

test('without the server and without stored data, does not lead to the subscription page', async ({ page }) => {
  const { person } = await aVisit(page);
  const other = await anOrganization(person, 'Contoso');
  await withoutServer(page);
  await open(page, `/${other}/connection`);
  await expect(page.getByRole('heading', { name: 'Couldn’t reach the server' })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/${other}/connection$`));
  await page.unroute('**/api/**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
});

test('marks stored data with its time until newer data arrives', async ({ page }) => {
  const { person, organizationId } = await aVisit(page);
  await renameOrganization(person, organizationId, 'Renamed');
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/**', async (route) => {
    await released;
    await route.continue();
  });
  await page.reload();
  await expect(page.getByRole('status').filter({ hasText: /^Showing data from .* Updating\.$/ })).toBeVisible();
  await expect(warehouse(page)).toBeVisible();
  release();
  await expect(page.getByRole('button', { name: /Renamed/ }).first()).toBeVisible();
  await expect(page.getByText(/^Showing data from /)).toHaveCount(0);
});

for (const status of [403, 404])
  test(`a ${status} clears the stored data that the user may no longer see`, async ({ page }) => {
    await aVisit(page);
    await page.route('**/destinations?**', (route) =>
      route.fulfill({ status, contentType: 'application/problem+json', body: JSON.stringify({ status, detail: 'Denied' }) }),
    );
    await page.reload();
    await expect(page.getByText('Couldn’t load destinations')).toBeVisible();
    await expect(warehouse(page)).toHaveCount(0);
    await expect.poll(() => storedContents(page)).not.toContain('Warehouse');
  });

test('keeps nothing of an organization that the user has left', async ({ page }) => {
  const { organizationId, person } = await aVisit(page);
  for (const name of ['Contoso', 'Fabrikam']) await anOrganization(person, name);
  const answer = { status: 404, contentType: 'application/problem+json', body: JSON.stringify({ status: 404, data: null }) };
  await page.route(
    (url) => url.pathname.includes(organizationId) || url.searchParams.get('documentId') === organizationId,
    (route) => (route.request().resourceType() === 'document' ? route.continue() : route.fulfill(answer)),
  );
  await page.reload();
  await expect(page).toHaveURL(/\/organizations$/);
  await expect(page.getByText('You are no longer a member of Northwind, or it was deleted.')).toHaveCount(1);
  await expect.poll(() => storedContents(page)).not.toContain(organizationId);
});

test('sign-out deletes the stored data, and the next user does not see it', async ({ page }) => {
  const { list } = await aVisit(page);
  await page.getByRole('button', { name: /Account menu/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await expect.poll(() => storedContents(page)).toBe('[]');
  const next = await aPerson();
  await anOrganization(next);
  await open(page, list);
  await signIn(page, next);
  // The page before was that of an organization of which the next user is no member.
  await expect(page).toHaveURL(/\/organizations$/);
  await expect(page.getByRole('heading', { name: 'Organizations' })).toBeVisible();
  expect(await storedContents(page)).not.toContain('Warehouse');
});
