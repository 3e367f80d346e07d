import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { aLoadedConnection } from './support/backfills.ts';
import { post, slowGoogle } from './support/calls.ts';
import { newPrefix } from './support/prefixes.ts';
import { get } from './support/resources.ts';
import { openAs } from './support/steps.ts';

declare global {
  interface Window {
    /** What the page has received of its stream of live events. */
    events: string;
  }
}

/** Runs in the page. */
function recordEvents(): void {
  window.events = '';
  const original = window.fetch;
  window.fetch = async (...parameters) => {
    const response = await original(...parameters);
    if (!response.body || !new URL(response.url).pathname.endsWith('/events')) return response;
    const [recorded, used] = response.body.tee();
    const write = (text: string) => void (window.events += text);
    void recorded
      .pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
      .pipeTo(new WritableStream({ write }));
    return new Response(used, response);
  };
}

/** Holds back the list of connections until the returned function is called. */
async function holdList(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<null>();
  await page.route(/\/connections\?limit=\d+$/, async (route) => {
    await promise;
    await route.continue();
  });
  return () => resolve(null);
}

test('the list is shown when a run reports progress while the list is loading', async ({ browser, page }) => {
  const { person, url, page: path, account } = await aLoadedConnection(page, newPrefix('livelist'));
  const endSlowness = await slowGoogle(account.externalId, 30_000);
  const visit = await (await browser.newContext()).newPage();
  await visit.addInitScript(recordEvents);
  const release = await holdList(visit);
  await openAs(visit, person, path.replace(/connection\/.*/, 'connection'));
  await expect(visit.getByRole('status', { name: 'Loading connections' })).toBeVisible();
  await post(`${url}/run`, {}, person.token);
  await visit.waitForFunction(() => window.events.includes('event: run'));
  release();
  await expect(visit.getByRole('link', { name: 'Search' })).toBeVisible();
  // After its end, the list is requested again.
  expect((await get<{ activeRun: object | null }>(person, url)).activeRun).not.toBeNull();
  await endSlowness();
  await visit.context().close();
});
