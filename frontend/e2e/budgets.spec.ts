import { expect, test } from '@playwright/test';
import type { Page, Response } from '@playwright/test';
import { demo } from './support/instance.ts';
import { open, signIn } from './support/steps.ts';

/**
 * JavaScript that a page may load before it is complete, in kB as sent (brotli). `login` is without the identity provider's script,
 * which the page loads at the first input or two seconds after it is complete.
 */
const BUDGETS = { login: 124, identity: 30, connections: 200 };

const IDENTITY = /\/identity-[^/]+\.js$/;
const toKilobytes = (bytes: number): number => Math.round(bytes / 1000);

interface Scripts {
  identity: number;
  others: number;
}

/** Adds up the JavaScript that the page loads from now on, in bytes. */
function countScripts(page: Page): () => Promise<Scripts> {
  const identity: Promise<number>[] = [];
  const others: Promise<number>[] = [];
  page.on('response', (response) => {
    if (!/javascript/.test(response.headers()['content-type'] ?? '')) return;
    const isCompressed = response.headers()['content-encoding'] === 'br';
    (IDENTITY.test(response.url()) ? identity : others).push(sizeOf(response, isCompressed));
  });
  const sumOf = async (sizes: Promise<number>[]) => (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  return async () => ({ identity: await sumOf(identity), others: await sumOf(others) });
}

/** Small files are sent as they are. */
async function sizeOf(response: Response, isCompressed: boolean): Promise<number> {
  const { responseBodySize } = await response.request().sizes();
  if (!isCompressed) expect(responseBodySize, response.url()).toBeLessThan(2_000);
  return responseBodySize;
}

/** The page has nothing left to do, so that it starts no more requests. */
const untilIdle = (page: Page) => page.evaluate(() => new Promise<void>((resolve) => requestIdleCallback(() => resolve())));

/** Runs in the page. */
function isIdentityAfterLoad(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const script = performance.getEntriesByType('resource').find(({ name }) => name.includes('/identity-'));
  return navigation !== undefined && script !== undefined && script.startTime >= navigation.loadEventStart;
}

test(`the sign-in page loads at most ${BUDGETS.login} kB of JavaScript, and ${BUDGETS.identity} kB at the first input`, async ({
  page,
}) => {
  const scripts = countScripts(page);
  // Loaded before the input on a machine that takes more than two seconds for the next lines.
  const identityScript = page.waitForResponse(IDENTITY);
  await open(page, '/login');
  await expect(page.getByRole('button', { name: 'Use demo account' })).toBeVisible();
  await untilIdle(page);
  const login = toKilobytes((await scripts()).others);
  await page.getByLabel('Email').focus();
  await identityScript;
  await expect.poll(() => page.evaluate(isIdentityAfterLoad)).toBe(true);
  const identity = toKilobytes((await scripts()).identity);
  test.info().annotations.push({ type: 'kB', description: `${login} and ${identity}` });
  expect(login).toBeGreaterThan(50);
  expect(login).toBeLessThanOrEqual(BUDGETS.login);
  expect(identity).toBeGreaterThan(10);
  expect(identity).toBeLessThanOrEqual(BUDGETS.identity);
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
  const { identity, others } = await scripts();
  const kilobytes = toKilobytes(identity + others);
  test.info().annotations.push({ type: 'kB', description: String(kilobytes) });
  expect(kilobytes).toBeGreaterThan(100);
  expect(kilobytes).toBeLessThanOrEqual(BUDGETS.connections);
  await context.close();
});
