import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { anOrganization, aPerson } from './support/calls.ts';
import { connectSource, destinations, sources, STREAM, sumsAtSource } from './support/pairs.ts';
import { open, signIn } from './support/steps.ts';

const HISTORY_DAYS = 4;
const DAY_MS = 86_400_000;

/** In Berlin, where the chosen accounts are. */
const daysAgo = (days: number): string =>
  new Date(Date.now() - days * DAY_MS).toLocaleDateString('sv-SE', { timeZone: 'Europe/Berlin' });

/** One small report of a few days, so that every pair is quick. */
async function configure(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('region', { name: 'Streams' })).toBeVisible({ timeout: 30_000 });
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  const all = page.getByRole('checkbox', { name: 'All streams' });
  await all.check();
  await all.uncheck();
  await expect(page.getByText('Choose a stream')).toBeVisible();
  await page.getByRole('checkbox', { name: STREAM }).check();
  await page.getByRole('textbox', { name: 'History from' }).fill(daysAgo(HISTORY_DAYS));
  await page.getByRole('button', { name: 'Review' }).click();
}

for (const source of sources)
  for (const destination of destinations)
    test(`${source.name} to ${destination.name}: from the wizard to the same sums at both ends`, async ({ page }) => {
      test.setTimeout(180_000);
      const person = await aPerson();
      const organizationId = await anOrganization(person);
      await open(page, `/${organizationId}/createConnection`);
      await signIn(page, person);

      await connectSource(page, source);
      await page.getByRole('radio', { name: new RegExp(`A new ${destination.name}`) }).check();
      await destination.fillIn(page, source);
      await page.getByRole('button', { name: 'Check and go on' }).click();
      const name = `${source.name} to ${destination.name}`;
      await configure(page, name);
      await expect(page.getByRole('heading', { name: 'First rows' })).toBeVisible({ timeout: 60_000 });
      await page.getByRole('button', { name: 'Create connection' }).click();

      await expect(page.getByRole('heading', { name })).toBeVisible();
      await expect(page.getByText('Healthy', { exact: true })).toBeVisible({ timeout: 90_000 });
      const range = { from: daysAgo(HISTORY_DAYS), to: daysAgo(1) };
      const expected = await sumsAtSource(source, range);
      expect(expected.clicks).toBeGreaterThan(0);
      expect(await destination.sums(source, range)).toEqual(expected);
    });
