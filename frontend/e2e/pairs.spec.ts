import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { anOrganization, aPerson } from './support/calls.ts';
import {
  connectSource,
  type DestinationKind,
  destinations,
  restate,
  sourceFor,
  type SourceKind,
  sources,
  STREAM,
  type Sums,
  sumsAtSource,
} from './support/pairs.ts';
import { daysAgo } from './support/days.ts';
import { openAs } from './support/steps.ts';

const HISTORY_DAYS = 12;

/** All loaded days. It includes tomorrow, because accounts can be in other time zones. */
const loadedDays = { from: daysAgo(HISTORY_DAYS), to: daysAgo(-1) };

/** Selects one small report of 12 days, so that every pair is fast. */
async function configure(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('region', { name: 'Streams' })).toBeVisible();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  const all = page.getByRole('checkbox', { name: 'All streams' });
  await all.check();
  await all.uncheck();
  await expect(page.getByText('Select at least one stream')).toBeVisible();
  await page.getByRole('checkbox', { name: STREAM }).check();
  await page.getByRole('textbox', { name: 'Start date' }).fill(daysAgo(HISTORY_DAYS));
  await page.getByRole('button', { name: 'Review' }).click();
}

async function createPair(page: Page, source: SourceKind, destination: DestinationKind): Promise<void> {
  const person = await aPerson();
  await openAs(page, person, `/${await anOrganization(person)}/createConnection`);
  await connectSource(page, source);
  await page.getByRole('radio', { name: new RegExp(`New ${destination.name}`) }).check();
  await destination.fillIn(page, source);
  await page.getByRole('button', { name: 'Test and continue' }).click();
  const name = `${source.name} to ${destination.name}`;
  await configure(page, name);
  await expect(page.getByRole('heading', { name: 'First rows' })).toBeVisible();
  await page.getByRole('button', { name: 'Create connection' }).click();
  await expect(page.getByRole('heading', { name })).toBeVisible();
}

/** Waits until the page shows this number of runs, all verified. */
async function expectVerifiedRuns(page: Page, count: number): Promise<void> {
  const runs = page.getByRole('region', { name: 'Latest runs' }).getByRole('row').filter({ hasText: 'Verified' });
  await expect(runs).toHaveCount(count);
  await expect(page.getByText('Healthy', { exact: true })).toBeVisible();
}

async function expectEqualSums(source: SourceKind, destination: DestinationKind): Promise<Sums> {
  const expected = await sumsAtSource(source, loadedDays);
  const found = await destination.sums(source, loadedDays);
  expect(found).toEqual(found.rows === null ? { ...expected, rows: null } : expected);
  return expected;
}

for (const kind of sources)
  test.describe(kind.name, () => {
    for (const [index, destination] of destinations.entries())
      test(`to ${destination.name}: sums match after the first run, a second run, and a restatement of 10 days`, async ({
        page,
      }) => {
        const source = sourceFor(kind, index);
        await createPair(page, source, destination);
        await expectVerifiedRuns(page, 1);
        const first = await expectEqualSums(source, destination);
        expect(first.rows).toBeGreaterThan(20);

        await page.getByRole('button', { name: 'Run now' }).click();
        await expectVerifiedRuns(page, 2);
        await expectEqualSums(source, destination);

        await restate(source, { from: daysAgo(10), to: daysAgo(1) });
        await page.getByRole('button', { name: 'Run now' }).click();
        await expectVerifiedRuns(page, 3);
        expect(await expectEqualSums(source, destination)).not.toEqual(first);
      });
  });
