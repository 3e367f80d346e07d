import { expect, test } from '@playwright/test';
import type { Browser, Page } from '@playwright/test';
import { demo } from './support/instance.ts';
import { open, signIn } from './support/steps.ts';

/** The chunk of the list of connections and its frame: see build/chunks.ts. */
const SCRIPT_OF_LIST = /\/frame-[^/]+\.js$/;

/** A new visit of a user who was signed in on the last one, with an empty cache. */
async function visitAgain(page: Page, browser: Browser): Promise<Page> {
  const { email, password } = demo();
  await open(page, '/login');
  await signIn(page, { email, password });
  const storageState = await page.context().storageState({ indexedDB: true });
  return (await browser.newContext({ storageState })).newPage();
}

test('starts the scripts of a page before the sign-in is confirmed, and the list before the layout is shown', async ({
  page,
  browser,
}) => {
  const visit = await visitAgain(page, browser);
  const urls: string[] = [];
  visit.on('request', (request) => urls.push(request.url()));
  const first = (pattern: RegExp) => urls.findIndex((url) => pattern.test(url));
  await open(visit, `/${demo().organizationId}/connection`);
  await expect(visit.getByText('sorted by severity')).toBeVisible();
  // The layout subscribes to live events when it is shown.
  await expect.poll(() => first(/\/events$/)).toBeGreaterThan(0);
  const order = [SCRIPT_OF_LIST, /accounts:lookup/, /\/connections\?limit=50$/, /\/events$/].map(first);
  expect(order).toEqual(order.toSorted((one, other) => one - other));
  expect(order).not.toContain(-1);
});

test('a page without a session loads no script of the page behind it', async ({ page }) => {
  const scripts: string[] = [];
  page.on('request', (request) => scripts.push(request.url()));
  await open(page, `/${demo().organizationId}/connection`);
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole('button', { name: 'Use demo account' })).toBeVisible();
  expect(scripts.filter((url) => SCRIPT_OF_LIST.test(url))).toEqual([]);
});

test('loads the script of a page when the pointer or the focus reaches its link', async ({ page }) => {
  const { email, password } = demo();
  await open(page, '/login');
  await signIn(page, { email, password });
  const scripts: string[] = [];
  page.on('request', (request) => scripts.push(request.url()));
  const hasLoaded = (name: string) => () => scripts.some((url) => url.includes(`/${name}-`));
  await page.getByRole('link', { name: 'Sources', exact: true }).hover();
  await expect.poll(hasLoaded('SourcesPage')).toBe(true);
  expect(hasLoaded('AlertsPage')()).toBe(false);
  await page.getByRole('link', { name: 'Alerts', exact: true }).focus();
  await expect.poll(hasLoaded('AlertsPage')).toBe(true);
});
