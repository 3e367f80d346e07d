import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { aLoadedConnection } from './support/backfills.ts';
import { slowGoogle } from './support/calls.ts';
import { newPrefix } from './support/prefixes.ts';
import { open } from './support/steps.ts';

declare global {
  interface Window {
    seen: string[];
  }
}

/** Runs in the page: records header, card and newest row after each change of the page. */
function record(): void {
  const read = () => {
    const header = document.querySelector('h1')?.parentElement?.textContent ?? '';
    const card = document.querySelector('section[aria-label="Active run"], section[aria-label="Last run"]');
    const row = document.querySelector('section[aria-label="Latest runs"] tbody tr td:nth-child(2)')?.textContent ?? '';
    const figure = [...document.querySelectorAll('section[aria-label=Figures] > div')].at(-1)?.textContent ?? '';
    return [header, card?.getAttribute('aria-label'), row, figure].join(' / ');
  };
  window.seen = [read()];
  new MutationObserver(() => {
    const now = read();
    if (now !== window.seen.at(-1)) window.seen.push(now);
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
}

const heightAbove = async (page: Page) => (await page.getByRole('region', { name: 'Figures' }).boundingBox())?.y ?? 0;

test('header, card, figures and row change together at the end of a run, and nothing moves', async ({ page }) => {
  const connection = await aLoadedConnection(page, newPrefix('runend'));
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 900 });
    await open(page, connection.page);
    await expect(page.getByRole('region', { name: 'Last run' })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Verification' }).getByText('Match').first()).toBeVisible();
    await expect(page.getByRole('region', { name: 'Figures' })).toContainText('rows and cost of the last run match');
    const before = await heightAbove(page);
    const endSlowness = await slowGoogle(connection.account.externalId);
    await page.evaluate(record);
    await page.getByRole('button', { name: 'Run now' }).click();
    await expect(page.getByRole('progressbar', { name: 'Run' })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Latest runs' }).getByRole('row').nth(1)).toContainText('Loading');
    expect.soft(await heightAbove(page), `during the run at ${width}`).toBe(before);
    await endSlowness();
    await expect(page.getByRole('region', { name: 'Last run' })).toContainText('Verified');
    // One toast with the counts, for five seconds.
    await expect(page.getByText(/^Search: \d+ rows verified, 1 chunk in \d+ (ms|s)$/)).toHaveCount(1);
    expect.soft(await heightAbove(page), `after the run at ${width}`).toBe(before);

    const seen = await page.evaluate(() => window.seen);
    const first = seen.findIndex((state) => state.includes('Active run'));
    const last = seen.findLastIndex((state) => state.includes('Active run'));
    expect(first).toBeGreaterThanOrEqual(0);
    // No state between the run and its result.
    expect(seen[last]).toMatch(/Active run \/ (Loading|Verifying)/);
    expect(seen[last + 1]).toMatch(/^SearchHealthy \/ Last run \/ Verified/);
    expect(seen.slice(last + 1).every((state) => /Healthy \/ Last run \/ Verified/.test(state))).toBe(true);
  }

  // The result is emphasized for 600 ms, unless the user prefers less motion.
  const animation = () =>
    page.getByRole('region', { name: 'Last run' }).evaluate((card) => {
      const { animationName, animationDuration } = getComputedStyle(card);
      return animationName === 'none' ? 'none' : animationDuration;
    });
  expect(await animation()).toBe('none');
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  expect(await animation()).toBe('0.6s');
});
