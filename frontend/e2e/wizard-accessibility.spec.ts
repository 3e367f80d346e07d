import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { overflowOf, SIZES, violationsOf } from './support/accessibility.ts';
import { anOrganization, aPerson } from './support/calls.ts';
import { connectSource, destinations, sources } from './support/pairs.ts';
import { open, openAs } from './support/steps.ts';

async function expectAccessible(page: Page, what: string): Promise<void> {
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  expect.soft(await violationsOf(page), what).toEqual([]);
  expect.soft(await overflowOf(page), `${what} scrolls horizontally`).toBe(0);
}

const [, meta] = sources;
const [, bigquery, mixpanel] = destinations;
/** A separate name, so that the Mixpanel events of this test do not change the sums of other tests. */
const own = { ...meta!, name: 'usable pages', path: 'usable-pages' };

for (const [index, { name: size, viewport }] of SIZES.entries())
  for (const kind of [bigquery!, mixpanel!])
    test(`wizard and pages for ${kind.name} have no WCAG violations at ${size}`, async ({ browser }) => {
      const colorScheme = index === 0 ? 'light' : 'dark';
      const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' });
      const page = await context.newPage();
      const person = await aPerson();
      const organizationId = await anOrganization(person);
      await openAs(page, person, `/${organizationId}/createConnection`);
      await connectSource(page, meta!);
      await page.getByRole('radio', { name: new RegExp(`New ${kind.name}`) }).check();
      await expect(page.getByRole('region', { name: 'Checks' })).toBeVisible();
      await expectAccessible(page, 'destination');
      await kind.fillIn(page, own);
      await page.getByRole('button', { name: 'Test and continue' }).click();
      await expect(page.getByRole('region', { name: 'Streams' })).toBeVisible();
      await expectAccessible(page, 'configure');
      const written = kind === mixpanel ? 'sent' : 'stored';
      await page
        .getByRole('button', { name: /fields of/ })
        .first()
        .click();
      await expect(page.getByText(`A hashed field is ${written} as SHA-256 instead of its text.`)).toBeVisible();
      await page
        .getByRole('checkbox', { name: /^Hash / })
        .first()
        .check();
      await expectAccessible(page, 'fields');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Review' }).click();
      await expect(page.getByRole('heading', { name: 'First rows' })).toBeVisible();
      await expectAccessible(page, 'review');
      await page.getByRole('button', { name: 'Create connection' }).click();
      await expect(page.getByText('Healthy', { exact: true })).toBeVisible();

      await open(page, `/${organizationId}/destination`);
      await page.getByRole('link', { name: kind.name }).click();
      await expect(page.getByRole('region', { name: /(Tables|Events) written/ }).getByRole('row')).not.toHaveCount(0);
      await expectAccessible(page, 'saved destination');
      await page
        .getByText(/^Writes to/)
        .getByRole('link')
        .click();
      await page.goto(`${page.url()}/${kind.name.toLowerCase()}/configuration`);
      await expect(page.getByRole('link', { name: 'Open destination' })).toBeVisible();
      await expectAccessible(page, 'app configuration');
      await open(page, '/addDestination');
      await expect(page.getByRole('link', { name: `Select ${kind.name}` })).toBeVisible();
      await expectAccessible(page, 'choosing a destination');
      await context.close();
    });
