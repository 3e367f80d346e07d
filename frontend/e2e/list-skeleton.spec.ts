import { expect, test } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { aLoadedConnection } from './support/backfills.ts';
import type { Person } from './support/calls.ts';
import { newPrefix } from './support/prefixes.ts';
import { open, openAs } from './support/steps.ts';

/** What the skeleton of the list shows is where the list shows it: nothing moves when the rows arrive. */

/** Holds back a list of the organization until the returned function is called. */
async function holdList(page: Page, list = 'connections'): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<null>();
  const isList = (url: URL) => url.pathname.split('/').at(-2) !== 'v1' && url.pathname.endsWith(`/${list}`);
  await page.route(isList, async (route) => {
    await promise;
    await route.continue();
  });
  return () => resolve(null);
}

/** The places of the elements, on whole pixels. */
const placesOf = (elements: Locator) =>
  elements.evaluateAll((all) =>
    all.map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return [x, y, width, height].map(Math.round);
    }),
  );

interface Parts {
  /** Each selector must find as many elements as the other one. */
  loading: string;
  loaded: string;
}

async function expectSamePlaces(page: Page, person: Person, list: string, parts: Parts[]): Promise<void> {
  const release = await holdList(page);
  await openAs(page, person, list);
  const skeleton = page.getByRole('status', { name: 'Loading connections' });
  await expect(skeleton).toBeVisible();
  await page.evaluate(() => document.fonts.ready);
  const before = await Promise.all(parts.map(({ loading }) => placesOf(skeleton.locator(loading))));
  release();
  await expect(skeleton).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Search', exact: true })).toBeVisible();
  const after = await Promise.all(parts.map(({ loaded }) => placesOf(page.locator(`main ${loaded}`))));
  for (const [index, { loaded }] of parts.entries()) {
    expect(after[index]!.length, loaded).toBeGreaterThan(0);
    expect.soft(before[index], loaded).toEqual(after[index]);
  }
}

test('the list keeps its columns and its rows when they arrive, as a table and as cards', async ({ page, browser }) => {
  const { person, page: connection } = await aLoadedConnection(page, newPrefix('skeleton'));
  const list = connection.replace(/\/connection\/.*/, '/connection');
  const sizes = [
    { width: 1440, parts: ['thead th', 'tbody tr', 'tbody tr td'] },
    { width: 1100, parts: ['thead th', 'tbody tr', 'tbody tr td'] },
    { width: 390, parts: ['ul > li', 'ul > li > div'] },
  ];
  for (const { width, parts } of sizes) {
    const context = await browser.newContext({ viewport: { width, height: 900 }, reducedMotion: 'reduce' });
    const shown = parts.map((part) => ({ loading: part, loaded: part }));
    const search = { loading: '[data-search]', loaded: 'input[type=search]' };
    await expectSamePlaces(await context.newPage(), person, list, [search, ...shown]);
    await context.close();
  }
});

test('the columns and the first row of apps, sources and destinations stay in place when they arrive', async ({
  page,
  browser,
}) => {
  const { person, page: connection } = await aLoadedConnection(page, newPrefix('skeletons'));
  const pages = [
    { name: 'apps', path: 'app', parts: ['ul > li'] },
    { name: 'sources', path: 'source', parts: ['thead th', 'tbody tr'] },
    { name: 'destinations', path: 'destination', parts: ['thead th', 'tbody tr'] },
  ];
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  const visit = await context.newPage();
  await openAs(visit, person, connection);
  for (const { name, path, parts } of pages) {
    const release = await holdList(visit, name);
    await open(visit, connection.replace(/\/connection\/.*/, `/${path}`));
    const skeleton = visit.getByRole('status', { name: `Loading ${name}` });
    await expect(skeleton).toBeVisible();
    await visit.evaluate(() => document.fonts.ready);
    const firstOf = async (root: Locator, part: string) => (await placesOf(root.locator(part)))[0];
    const before = await Promise.all(parts.map((part) => firstOf(skeleton, part)));
    release();
    await expect(skeleton).toHaveCount(0);
    const after = await Promise.all(parts.map((part) => firstOf(visit.locator('main'), part)));
    expect.soft(before, name).toEqual(after);
  }
  await context.close();
});

test('what is below the verification of a connection stays in place when it arrives', async ({ page, browser }) => {
  const { person, page: connection } = await aLoadedConnection(page, newPrefix('skeletonproof'));
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  const visit = await context.newPage();
  const release = await holdList(visit, 'runs');
  await openAs(visit, person, connection);
  const skeleton = visit.getByRole('status', { name: 'Loading the verification' });
  await expect(skeleton).toBeVisible();
  await visit.evaluate(() => document.fonts.ready);
  const below = visit.getByRole('region', { name: 'Freshness' });
  const [before] = await placesOf(below);
  release();
  await expect(visit.getByText(/rows read from Google Ads = /)).toBeVisible();
  const [after] = await placesOf(below);
  // The lines of the table are not whole pixels high.
  expect(Math.abs((before?.[1] ?? 0) - (after?.[1] ?? 0))).toBeLessThanOrEqual(4);
  await context.close();
});
