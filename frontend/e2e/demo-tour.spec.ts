import { expect, test } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { slowGoogle } from './support/calls.ts';
import { instance } from './support/instance.ts';

test('the demo tour shows lost rows and their repair without a sign-in', async ({ page }) => {
  await page.goto(`${instance().url}/demo`);
  const connection = page.getByRole('region', { name: 'Connection' });
  const lose = page.getByRole('button', { name: 'Lose rows' });
  // The demo may still be loading its history.
  await expect(lose).toBeEnabled();
  const endSlowness = await slowGoogle();
  await lose.click();
  await expect(page.getByText('The warehouse loses rows')).toBeVisible();
  await expect(connection.getByRole('progressbar')).toBeVisible();
  await endSlowness();
  await expect(connection.getByRole('status').first()).toContainText(/rows? missing in PostgreSQL/);
  await expect(connection.getByText('Cost Differs')).toBeVisible();
  await expectAccessible(page, 'the demo tour with lost rows');
  await page.getByRole('button', { name: 'Repair' }).click();
  await expect(connection).toContainText('Every row verified');
  await expect(page.getByText('The warehouse loses rows')).toBeHidden();
  await expect(connection.getByText('Cost Matches')).toBeVisible();
});

test('the demo tour leads to the sign-in of the demo', async ({ page }) => {
  await page.goto(`${instance().url}/demo`);
  await page.getByRole('link', { name: 'Sign in to the demo' }).click();
  await expect(page.getByRole('button', { name: 'Use demo account' })).toBeVisible();
});
