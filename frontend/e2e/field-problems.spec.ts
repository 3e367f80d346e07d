import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { violationsOf } from './support/accessibility.ts';
import { anOrganization, aPerson } from './support/calls.ts';
import { demo } from './support/instance.ts';
import { connectSource, sources } from './support/pairs.ts';
import { fillInWarehouse, open, openAs } from './support/steps.ts';

const PHONE = { width: 390, height: 780 };

const summary = (page: Page) => page.getByRole('status').filter({ hasText: /needs? attention/ });

test('a rejected destination form names its fields in view, and has the focus in the first of them', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await page.setViewportSize({ width: 1280, height: 600 });
  await openAs(page, person, `/${organizationId}/destination/new/configuration?provider=postgresql`);
  await fillInWarehouse(page);
  await page.getByRole('textbox', { name: 'Host' }).fill('');
  await page.getByLabel('Password', { exact: true }).fill('');
  await page.getByRole('button', { name: 'Add destination' }).click();
  await expect(page.getByRole('textbox', { name: 'Host' })).toBeFocused();
  await expect(summary(page)).toHaveText('2 fields need attention: Host, Password');
  await expect(summary(page)).toBeInViewport({ ratio: 1 });
  expect(await violationsOf(page)).toEqual([]);
  await summary(page).getByRole('button', { name: 'Password' }).click();
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  await expect(page.getByLabel('Password', { exact: true })).toBeInViewport({ ratio: 1 });

  // A field is removed as soon as it is edited.
  await page.keyboard.type('three small rivers');
  await expect(summary(page)).toHaveText('1 field needs attention: Host');
});

test('a failed check has the focus in its field', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await openAs(page, person, `/${organizationId}/destination/new/configuration?provider=postgresql`);
  await fillInWarehouse(page);
  await page.getByRole('textbox', { name: 'Port' }).fill('9');
  await page.getByRole('button', { name: 'Add destination' }).click();
  await expect(summary(page)).toHaveText('1 field needs attention: Port');
  await expect(page.getByRole('textbox', { name: 'Port' })).toBeFocused();
});

test('the configure step names its fields in the footer, also on a phone', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await openAs(page, person, `/${organizationId}/createConnection`);
  await connectSource(page, sources[0]!);
  await page.getByRole('radio', { name: /New PostgreSQL/ }).check();
  await fillInWarehouse(page);
  await page.getByRole('button', { name: 'Test and continue' }).click();
  await expect(page.getByRole('region', { name: 'Streams' })).toBeVisible();

  const [name, startDate] = [page.getByRole('textbox', { name: 'Name' }), page.getByRole('textbox', { name: 'Start date' })];
  await name.fill(' ');
  await startDate.fill('2090-01-01');
  const review = page.getByRole('button', { name: 'Review' });
  await expect(review).toBeDisabled();
  await expect(summary(page)).toHaveText('2 fields need attention: Name, Start date');
  expect(await violationsOf(page)).toEqual([]);
  await review.press('Enter');
  await expect(name).toBeFocused();
  await page.setViewportSize(PHONE);
  await expect(summary(page)).toBeInViewport({ ratio: 1 });
  await summary(page).getByRole('button', { name: 'Start date' }).click();
  await expect(startDate).toBeFocused();
  await expect(startDate).toBeInViewport({ ratio: 1 });
  expect(await violationsOf(page)).toEqual([]);
  await name.fill('Search');
  await expect(summary(page)).toHaveText('1 field needs attention: Start date');
});

test('the settings of a connection name their fields beside the button', async ({ page }) => {
  const { email, password, organizationId } = demo();
  await page.setViewportSize({ width: 1280, height: 700 });
  await openAs(page, { email, password }, `/${organizationId}/connection`);
  await page.locator('tbody').getByRole('link').first().click();
  await expect(page).toHaveURL(/\/configuration/);
  await open(page, `${new URL(page.url()).pathname}?tab=settings`);
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await name.fill('');
  await page.getByRole('region', { name: 'Schedule' }).getByText('Cron', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Cron expression' }).fill('*/5 * * * *');
  await expect(summary(page)).toHaveText('2 fields need attention: Name, Schedule');
  await expect(summary(page)).toBeInViewport({ ratio: 1 });
  const save = page.getByRole('button', { name: 'Save settings' });
  await expect(save).toBeDisabled();
  await save.press('Enter');
  await expect(name).toBeFocused();
  await summary(page).getByRole('button', { name: 'Schedule' }).click();
  await expect(page.getByRole('textbox', { name: 'Cron expression' })).toBeFocused();
  expect(await violationsOf(page)).toEqual([]);
});

test('the settings of a connection have the focus in the field that the server rejects, until it is changed', async ({
  page,
}) => {
  const { email, password, organizationId, connectionId } = demo();
  await page.setViewportSize({ width: 1280, height: 700 });
  await openAs(page, { email, password }, `/${organizationId}/connection/${connectionId}/configuration?tab=settings`);
  await page.getByRole('region', { name: 'Schedule' }).getByText('Cron', { exact: true }).click();
  const cron = page.getByRole('textbox', { name: 'Cron expression' });
  // Only the server compares the last run of a day with the first run of the next day, whatever the weekday.
  await cron.fill('0,55 0,23 * * 1');
  await expect(summary(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Save settings' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'must leave at least 15 minutes between runs' }).first()).toBeVisible();
  await expect(page.getByText('Must leave at least 15 minutes between runs', { exact: true })).toBeVisible();
  await expect(page.getByText('Cron must leave at least 15 minutes between runs')).toBeVisible();
  await expect(cron).toBeFocused();
  await expect(cron).toHaveAttribute('aria-invalid', 'true');
  await expect(cron).toBeInViewport({ ratio: 1 });
  await expect(summary(page)).toHaveText('1 field needs attention: Schedule');
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press('End');
  await page.keyboard.type(',3');
  await expect(cron).not.toHaveAttribute('aria-invalid', 'true');
  await expect(summary(page)).toHaveCount(0);
});
