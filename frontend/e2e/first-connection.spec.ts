import { randomUUID } from 'node:crypto';
import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { enter, tabTo, typeInto } from './support/keyboard.ts';
import { newPrefix } from './support/prefixes.ts';
import { allowAccess, consentPage, open } from './support/steps.ts';

/** The way of a new user: from the sign-up to rows that are verified, and to the repair of lost ones. */

const MOST_CLICKS = 10;

/** Counts the clicks of the pointer in all windows. A click that a key causes has no detail. */
async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0;
  await page.context().exposeFunction('countClick', () => {
    clicks += 1;
  });
  await page.context().addInitScript(() => {
    const count = (window as Window & { countClick?: () => void }).countClick;
    // A click on a label causes another one on its field.
    addEventListener('pointerdown', () => count?.(), true);
  });
  return () => clicks;
}

const password = 'three small rivers';

test(`verified rows are at most ${MOST_CLICKS} clicks after the sign-up page`, async ({ page }) => {
  const clicks = await countClicks(page);
  const prefix = newPrefix('clicks');
  await open(page, '/signUp');
  await page.getByLabel('Full name').fill('Owner');
  await page.getByLabel('Email').fill(`owner-${randomUUID()}@example.com`);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByLabel('Company name').fill('Northwind');
  await page.getByRole('button', { name: 'Create organization' }).click();
  await page.getByRole('button', { name: /Try with sample data/ }).click();
  await page.getByRole('button', { name: 'Connect Google Ads' }).click();
  await allowAccess(page);
  await page.getByRole('button', { name: /^Continue with \d+ account/ }).click();
  await page.getByRole('radio', { name: /New PostgreSQL/ }).check();
  await page.getByRole('button', { name: /demo’s (warehouse|database|PostgreSQL)/ }).click();
  await page.getByRole('textbox', { name: 'Table prefix' }).fill(prefix);
  // The fields of a form are sent by Enter.
  await page.getByRole('textbox', { name: 'Table prefix' }).press('Enter');
  await expect(page.getByRole('region', { name: 'Streams' })).toBeVisible();
  await page.getByRole('button', { name: 'Review' }).click();
  await expect(page.getByRole('heading', { name: 'First rows' })).toBeVisible();
  await page.getByRole('button', { name: 'Create connection' }).click();
  await expect(page.getByText('Healthy', { exact: true })).toBeVisible();
  await expect(page.getByText(/Every row verified|Source and destination match/).first()).toBeVisible();
  expect(clicks()).toBeGreaterThan(5);
  expect(clicks()).toBeLessThanOrEqual(MOST_CLICKS);
});

test('signs up, creates a connection, loses rows and repairs them by keyboard only', async ({ page }) => {
  const clicks = await countClicks(page);
  const button = (name: string | RegExp) => page.getByRole('button', { name }).first();
  await open(page, '/signUp');
  await typeInto(page, page.getByLabel('Full name'), 'Owner');
  await typeInto(page, page.getByLabel('Email'), `owner-${randomUUID()}@example.com`);
  await typeInto(page, page.getByLabel('Password', { exact: true }), password);
  await page.keyboard.press('Enter');
  await typeInto(page, page.getByLabel('Company name'), 'Northwind');
  await page.keyboard.press('Enter');
  await enter(page, button(/Try with sample data/));

  await enter(page, button('Connect Google Ads'));
  const consent = await consentPage(page);
  await enter(consent, consent.getByRole('button', { name: 'Allow', exact: true }));
  await enter(page, button(/^Continue with \d+ account/));
  await tabTo(page, page.getByRole('radiogroup', { name: 'Destination' }).getByRole('radio').first());
  await page.keyboard.press('Space');
  while (!(await page.getByRole('radio', { name: /New PostgreSQL/ }).isChecked())) await page.keyboard.press('ArrowDown');
  await enter(page, button(/demo’s (warehouse|database|PostgreSQL)/));
  await typeInto(page, page.getByRole('textbox', { name: 'Table prefix' }), newPrefix('keys'));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Streams' })).toBeVisible();
  await enter(page, button('Review'));
  await expect(page.getByRole('heading', { name: 'First rows' })).toBeVisible();
  await enter(page, button('Create connection'));
  await expect(page.getByText('Healthy', { exact: true })).toBeVisible();

  await enter(page, button('More'));
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  const drill = page.getByRole('menuitem', { name: 'Lose rows (demo)' });
  for (let step = 0; step < 5 && !(await drill.evaluate((one) => one === document.activeElement)); step += 1)
    await page.keyboard.press('ArrowDown');
  await expect(drill).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Failing', { exact: true }).first()).toBeVisible();
  await enter(page, button(/^(Run again|Repair)/));
  await expect(page.getByText('Healthy', { exact: true })).toBeVisible();
  expect(clicks()).toBe(0);
});
