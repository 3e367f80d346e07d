import { expect, test } from '@playwright/test';
import { overflowOf, SCHEMES, show, SIZES, violationsOf } from './support/accessibility.ts';
import { query } from './support/backfills.ts';
import { anOrganization, aPerson } from './support/calls.ts';
import { instance } from './support/instance.ts';
import { connectSource, sources } from './support/pairs.ts';
import { newPrefix } from './support/prefixes.ts';
import { fillInWarehouse, openAs } from './support/steps.ts';

const [google] = sources;

test('the first load of a connection writes only the hashes of a field that is hashed in the wizard', async ({ page }) => {
  const prefix = newPrefix('hashed');
  const person = await aPerson();
  await openAs(page, person, `/${await anOrganization(person)}/createConnection`);
  await connectSource(page, google!);
  await page.getByRole('radio', { name: /New PostgreSQL/ }).check();
  await fillInWarehouse(page);
  await page.getByRole('textbox', { name: 'Table prefix' }).fill(prefix);
  await page.getByRole('button', { name: 'Test and continue' }).click();

  const fields = page.getByRole('button', { name: /fields of campaign_daily$/ });
  const hash = page.getByRole('checkbox', { name: 'Hash campaign_name of campaign_daily' });
  const written = page.getByRole('checkbox', { name: 'campaign_name of campaign_daily', exact: true });
  await fields.click();
  await expect(page.getByRole('checkbox', { name: 'Hash campaign_id of campaign_daily' })).toHaveCount(0);
  await hash.check();
  await written.uncheck();
  await expect(hash).toBeDisabled();
  await expect(hash).not.toBeChecked();
  await written.check();
  await expect(hash).toBeChecked();

  await page.reload();
  const row = page.getByRole('region', { name: 'Streams' }).getByRole('row').filter({ has: fields });
  await expect(row.getByText('1 hashed')).toBeVisible();
  for (const size of SIZES)
    for (const colorScheme of SCHEMES) {
      await show(page, size, colorScheme);
      if (!(await hash.isVisible())) await fields.click();
      await expect(hash).toBeChecked();
      expect(await overflowOf(page)).toBe(0);
      expect(await violationsOf(page)).toEqual([]);
      await page.screenshot({ path: test.info().outputPath(`fields-${size.name}-${colorScheme}.png`) });
      await page.keyboard.press('Escape');
      await page.screenshot({ path: test.info().outputPath(`streams-${size.name}-${colorScheme}.png`), fullPage: true });
    }

  await page.getByRole('button', { name: 'Review' }).click();
  const settings = page.getByRole('region', { name: 'Settings' });
  await expect(settings.getByText('Hashed fields')).toBeVisible();
  await expect(page.getByRole('cell', { name: /^[0-9a-f]{64}$/ }).first()).toBeVisible();
  for (const size of SIZES) {
    await show(page, size, SCHEMES[0]);
    await expect(settings).toBeVisible();
    expect(await overflowOf(page)).toBe(0);
    await page.screenshot({ path: test.info().outputPath(`review-${size.name}.png`), fullPage: true });
  }
  await page.getByRole('button', { name: 'Create connection' }).click();
  await expect(page.getByText('Healthy', { exact: true })).toBeVisible();
  const [names] = await query<{ rows: number; texts: number }>(
    instance().warehouseUrl,
    `select count(*)::int as rows, (count(*) filter (where campaign_name !~ '^[0-9a-f]{64}$'))::int as texts
       from ${prefix}google_ads_campaign_daily`,
  );
  expect(names?.rows).toBeGreaterThan(0);
  expect(names?.texts).toBe(0);
});
