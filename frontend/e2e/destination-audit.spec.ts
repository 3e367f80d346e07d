import { expect, test } from '@playwright/test';
import pg from 'pg';
import { overflowOf, SCHEMES, show, SIZES, violationsOf } from './support/accessibility.ts';
import { openConnection } from './support/connections.ts';
import { instance } from './support/instance.ts';
import { newPrefix } from './support/prefixes.ts';

test('an audit finds deleted rows, lists them and reloads them', async ({ page }) => {
  const prefix = newPrefix('audit');
  await openConnection(page, { prefix });
  await page.getByRole('navigation', { name: 'Connection' }).getByRole('link', { name: 'Coverage' }).click();

  const audit = page.getByRole('region', { name: 'Destination audit' });
  await audit.getByRole('button', { name: 'Audit now' }).click();
  await expect(audit.getByText(/Destination matches the loaded data/)).toBeVisible();

  const warehouse = new pg.Client({ connectionString: instance().warehouseUrl });
  await warehouse.connect();
  await warehouse.query(
    `delete from ${prefix}google_ads_campaign_daily where date between current_date - 20 and current_date - 18`,
  );
  await warehouse.end();
  await audit.getByRole('button', { name: 'Audit now' }).click();
  await expect(audit.getByText(/account-days differ from what was loaded/)).toBeVisible();
  await expect(audit.getByRole('cell', { name: /\d+ rows missing, .* of cost missing/ }).first()).toBeVisible();

  for (const size of SIZES)
    for (const colorScheme of SCHEMES) {
      await show(page, size, colorScheme);
      await audit.scrollIntoViewIfNeeded();
      expect(await violationsOf(page)).toEqual([]);
      expect(await overflowOf(page)).toBe(0);
      await page.screenshot({ path: test.info().outputPath(`${size.name}-${colorScheme}.png`), fullPage: true });
    }

  await audit.getByRole('link', { name: 'View the repair run' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await audit.getByRole('button', { name: 'Audit now' }).click();
  await expect(audit.getByText(/Destination matches the loaded data/)).toBeVisible();
});
