import { expect, test } from '@playwright/test';
import { violationsOf } from './support/accessibility.ts';
import { demo } from './support/instance.ts';
import { open, signIn } from './support/steps.ts';

/** Landmarks, headings and names, beyond WCAG. */

test('pages, overlays and errors follow best practice', async ({ page }) => {
  const { email, password, organizationId } = demo();
  const check = async (what: string) => expect.soft(await violationsOf(page), what).toEqual([]);
  await open(page, '/login');
  await expect(page.getByRole('button', { name: 'Use demo account' })).toBeVisible();
  await check('sign-in');
  await signIn(page, { email, password });
  for (const path of [
    `/${organizationId}/connection/abc/configuration`,
    `/${organizationId}/connection/${organizationId}/configuration`,
  ]) {
    await open(page, path);
    await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
    await check(path);
  }
  await open(page, `/${organizationId}/connection`);
  await expect(page.getByText('sorted by severity')).toBeVisible();
  await check('connections');
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('dialog', { name: 'Search or jump to' })).toBeVisible();
  await check('palette');
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 390, height: 780 });
  await page.getByRole('button', { name: 'Open the menu' }).click();
  await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible();
  await check('menu of a phone');
});
