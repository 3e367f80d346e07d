import { expect, test } from '@playwright/test';
import { aLoadedConnection } from './support/backfills.ts';
import { newPrefix } from './support/prefixes.ts';
import { open } from './support/steps.ts';

test('pointing at a day shows its figures and runs, and marks it in both charts', async ({ page }) => {
  const connection = await aLoadedConnection(page, newPrefix('charts'));
  await open(page, connection.page);
  const section = page.getByRole('region', { name: 'Rows and cost per day', exact: true });
  const charts = section.locator('svg[width]:has(polyline), svg[width]:has(pattern)');
  await expect(charts).toHaveCount(2);
  // The first run.
  await expect(section.locator('rect[data-mark="good"]')).toHaveCount(1);
  const heightOf = async () => (await section.boundingBox())?.height;
  const height = await heightOf();

  const days = charts.first().locator('rect[fill="transparent"]');
  await days.nth(4).hover();
  await expect(section.getByText(/^\w+ \d+: \d+ rows, (final|[\d,]+ provisional|provisional) · [€$][\d,]+\.\d\d$/)).toBeVisible();
  const lines = section.locator('line[stroke="var(--t-ink-3)"]');
  await expect(lines).toHaveCount(2);
  const [top, bottom] = await lines.evaluateAll((found) => found.map((line) => line.getBoundingClientRect().x));
  expect(top).toBe(bottom);
  // Not always the last day of the chart: late in the evening, the next day has begun in other time zones.
  const mark = (await section.locator('rect[data-mark="good"]').boundingBox())!;
  const chart = (await charts.first().boundingBox())!;
  await page.mouse.move(mark.x + mark.width / 2, chart.y + chart.height / 2);
  await expect(section.getByText(/· runs: 1 verified$/)).toBeVisible();
  expect(await heightOf()).toBe(height);

  await section.getByRole('button', { name: 'Show as table' }).click();
  await expect(section.getByRole('row').filter({ hasText: '1 verified' })).toHaveCount(1);
});
