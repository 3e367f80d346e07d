import { expect, test } from '@playwright/test';
import { overflowOf, SCHEMES, show, SIZES, violationsOf } from './support/accessibility.ts';
import { anOrganization, aPerson } from './support/calls.ts';
import { allowAccess, open, openAs } from './support/steps.ts';

test('applies the defaults of an app to its next source', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await openAs(page, person, `/${organizationId}/app/connect`);
  await page.getByRole('button', { name: 'Connect Meta Ads' }).click();
  await allowAccess(page, undefined, 'Facebook');
  await page.getByRole('button', { name: /^Continue with \d+ account/ }).click();
  await expect(page.getByRole('heading', { name: 'Meta Ads is connected' })).toBeVisible();
  await open(page, `/${organizationId}/app`);
  await page.getByRole('link', { name: 'Meta Ads' }).first().click();
  await page.getByRole('link', { name: 'Accounts and defaults' }).first().click();

  const defaults = page.getByRole('region', { name: 'Defaults for new sources' });
  await expect(defaults.getByRole('button', { name: 'Save defaults' })).toBeDisabled();
  await defaults.getByText('Campaign', { exact: true }).click();
  await defaults.getByText('Custom', { exact: true }).click();
  await defaults.getByLabel('Lookback window in days').fill('14');
  await defaults.getByRole('button', { name: 'Save defaults' }).click();
  await expect(page.getByText('Defaults saved for new sources')).toBeVisible();
  for (const size of SIZES)
    for (const colorScheme of SCHEMES) {
      await show(page, size, colorScheme);
      expect.soft(await violationsOf(page), `${size.name} ${colorScheme}`).toEqual([]);
      expect.soft(await overflowOf(page), `${size.name} ${colorScheme}`).toBe(0);
    }

  await page.getByRole('region', { name: 'New source' }).getByRole('checkbox', { name: 'All accounts' }).check();
  await page.getByRole('button', { name: /^(Make|Create) source$/ }).click();
  await expect(page.getByRole('radio', { name: 'Campaign', exact: true })).toBeChecked();
  await expect(page.getByLabel('Lookback window in days')).toHaveValue('14');
});
