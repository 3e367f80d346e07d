import { expect, test } from '@playwright/test';
import type { Browser, Page } from '@playwright/test';
import { demo } from './support/instance.ts';
import { open, signIn } from './support/steps.ts';

const SCRIPT_OF_LIST = /\/ConnectionsPage-[^/]+\.js$/;

/** A new visit of a user who was signed in on the last one, with an empty cache. */
async function visitAgain(page: Page, browser: Browser): Promise<Page> {
  const { email, password } = demo();
  await open(page, '/login');
  await signIn(page, { email, password });
  const storageState = await page.context().storageState({ indexedDB: true });
  return (await browser.newContext({ storageState })).newPage();
}

test('loads the scripts and the first rows of a page before the session and the layout are loaded', async ({ page, browser }) => {
  const visit = await visitAgain(page, browser);
  const held = Promise.withResolvers<undefined>();
  await visit.route(/\/api\/(getUser|getOrganizationData|v1\/catalog)/, async (route) => {
    await held.promise;
    await route.continue();
  });
  const list = visit.waitForRequest(/\/connections\?limit=50$/);
  const script = visit.waitForRequest(SCRIPT_OF_LIST);
  await open(visit, `/${demo().organizationId}/connection`);
  await Promise.all([script, list]);
  await expect(visit.getByRole('heading', { name: 'Connections' })).toHaveCount(0);
  let requests = 0;
  visit.on('request', (request) => (requests += Number(/\/connections\?limit=50$/.test(request.url()))));
  held.resolve(undefined);
  await expect(visit.getByText('sorted by severity')).toBeVisible();
  expect(requests).toBe(0);
});

test('a page without a session loads no script of the page behind it', async ({ page }) => {
  const scripts: string[] = [];
  page.on('request', (request) => scripts.push(request.url()));
  await open(page, `/${demo().organizationId}/connection`);
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole('button', { name: 'Use demo account' })).toBeVisible();
  expect(scripts.filter((url) => SCRIPT_OF_LIST.test(url))).toEqual([]);
});
