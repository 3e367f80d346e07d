import { expect, test } from '@playwright/test';
import type { Page, Response } from '@playwright/test';
import { demo } from './support/instance.ts';
import { open, signIn } from './support/steps.ts';

/** JavaScript that a page may load before it is complete, in kB as sent (brotli). The targets are 145 and 200 kB. */
const BUDGETS = { login: 159, connections: 204 };

/** Adds up the JavaScript that the page loads from now on. */
function countScripts(page: Page): () => Promise<number> {
  const sizes: Promise<number>[] = [];
  page.on('response', (response) => {
    if (!/javascript/.test(response.headers()['content-type'] ?? '')) return;
    const isCompressed = response.headers()['content-encoding'] === 'br';
    sizes.push(sizeOf(response, isCompressed));
  });
  return async () => Math.round((await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / 1000);
}

/** Small files are sent as they are. */
async function sizeOf(response: Response, isCompressed: boolean): Promise<number> {
  const { responseBodySize } = await response.request().sizes();
  if (!isCompressed) expect(responseBodySize, response.url()).toBeLessThan(2_000);
  return responseBodySize;
}

/** The page has nothing left to do, so that it starts no more requests. */
const untilIdle = (page: Page) => page.evaluate(() => new Promise<void>((resolve) => requestIdleCallback(() => resolve())));

test(`the sign-in page loads at most ${BUDGETS.login} kB of JavaScript`, async ({ page }) => {
  const scripts = countScripts(page);
  await open(page, '/login');
  await expect(page.getByRole('button', { name: 'Use demo account' })).toBeVisible();
  await untilIdle(page);
  const kilobytes = await scripts();
  test.info().annotations.push({ type: 'kB', description: String(kilobytes) });
  expect(kilobytes).toBeGreaterThan(50);
  expect(kilobytes).toBeLessThanOrEqual(BUDGETS.login);
});

test(`the list of connections loads at most ${BUDGETS.connections} kB of JavaScript`, async ({ page, browser }) => {
  const { email, password, organizationId } = demo();
  await open(page, '/login');
  await signIn(page, { email, password });
  // A new visit of a signed-in user, with an empty cache.
  const state = await page.context().storageState({ indexedDB: true });
  const context = await browser.newContext({ storageState: state });
  const visit = await context.newPage();
  const scripts = countScripts(visit);
  await open(visit, `/${organizationId}/connection`);
  await expect(visit.getByText('sorted by severity')).toBeVisible();
  await untilIdle(visit);
  const kilobytes = await scripts();
  test.info().annotations.push({ type: 'kB', description: String(kilobytes) });
  expect(kilobytes).toBeGreaterThan(100);
  expect(kilobytes).toBeLessThanOrEqual(BUDGETS.connections);
  await context.close();
});
