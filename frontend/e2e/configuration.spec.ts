import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { expectAccessible, openAt, overflowOf, SCHEMES, show, SIZES } from './support/accessibility.ts';
import { aMember, anOrganization, aPerson, post } from './support/calls.ts';
import type { Person } from './support/calls.ts';
import { demo, instance } from './support/instance.ts';
import { createWarehouse, get } from './support/resources.ts';
import { open, signIn } from './support/steps.ts';

const openData = (page: Page, organizationId: string) => open(page, `/${organizationId}/settings?tab=data`);

async function openNewOrganization(page: Page): Promise<{ owner: Person; organizationId: string }> {
  const owner = await aPerson();
  const organizationId = await anOrganization(owner, 'Northwind');
  await openData(page, organizationId);
  await signIn(page, owner);
  await expect(page.getByRole('button', { name: 'Choose a file' })).toBeVisible();
  return { owner, organizationId };
}

const lists = ['apps', 'sources', 'destinations', 'connections', 'conversions', 'payments', 'webhooks', 'notificationRules'];
const empty = { format: 'tributary.configuration', version: 1, ...Object.fromEntries(lists.map((list) => [list, []])) };

async function choose(page: Page, content: string, name = 'configuration.json'): Promise<void> {
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(content) });
}

/** The file of the demo organization, exported with the button. */
async function exportDemo(page: Page): Promise<string> {
  const { organizationId, ...person } = demo();
  await openData(page, organizationId);
  await signIn(page, person);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export configuration' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^configuration-\d{4}-\d\d-\d\d\.json$/);
  return readFile(await file.path(), 'utf8');
}

test('exports an organization, and imports it into another one after a plan', async ({ page, browser }) => {
  const file = await exportDemo(page);
  expect(file).toContain('"Google Ads to warehouse"');
  const other = await browser.newPage();
  const { organizationId } = await openNewOrganization(other);
  await choose(other, file);
  const plan = other.getByRole('group', { name: 'Plan', exact: true });
  await expect(plan.getByRole('list', { name: 'Create' })).toContainText('Sign in at the app');
  await expect(plan).toContainText(/Stays paused until .+ connected/);
  await expect(plan.getByText('Unchanged')).toBeVisible();
  await other.getByRole('button', { name: /^Apply \d+ changes$/ }).click();
  await expect(other.getByText('Imported', { exact: true })).toBeVisible();
  await expect(other.getByRole('group', { name: 'Result', exact: true })).toContainText('Google Ads to warehouse');
  await choose(other, file);
  await expect(other.getByText('Nothing to import')).toBeVisible();
  await open(other, `/${organizationId}/connection`);
  await expect(other.getByText('Google Ads to warehouse')).toBeVisible();
  await other.close();
});

test('names the line or the field of an invalid file', async ({ page }) => {
  await openNewOrganization(page);
  await choose(page, '{\n  "format": oops\n}');
  await expect(page.getByRole('alert')).toContainText('This is not a JSON file: see line 2');
  await choose(page, JSON.stringify({ ...empty, version: 7, sources: [{ name: 'x' }] }));
  await expect(page.getByRole('alert')).toContainText('The file is not valid');
  await expect(page.getByRole('alert')).toContainText('sources.0.app');
  await choose(page, JSON.stringify(empty));
  await expect(page.getByText('The file has no entries.')).toBeVisible();
  await expect(page.getByText('Nothing to import')).toBeVisible();
});

test('reads a file again that was corrected and chosen once more', async ({ page }) => {
  await openNewOrganization(page);
  const path = test.info().outputPath('corrected.json');
  const field = page.locator('input[type=file]');
  await writeFile(path, '{ "format": oops }');
  await field.setInputFiles(path);
  await expect(page.getByRole('alert')).toContainText('This is not a JSON file');
  // A browser reports no change while the field still holds a file of the same path.
  expect(await field.evaluate((input: HTMLInputElement) => input.files?.length)).toBe(0);
  await writeFile(path, JSON.stringify(empty));
  await field.setInputFiles(path);
  await expect(page.getByText('The file has no entries.')).toBeVisible();
});

test('rejects an outdated plan and makes a new one', async ({ page }) => {
  const { owner, organizationId } = await openNewOrganization(page);
  const other = await aPerson();
  const otherId = await anOrganization(other, 'Other');
  await createWarehouse(other, otherId, '');
  const file = await get(other, `${instance().url}/api/v1/organizations/${otherId}/configuration`);
  await choose(page, JSON.stringify(file));
  await expect(page.getByRole('button', { name: /^Apply/ })).toBeEnabled();
  await post(`${instance().url}/api/v1/organizations/${organizationId}/apps`, { provider: 'custom' }, owner.token);
  await page.getByRole('button', { name: /^Apply/ }).click();
  await expect(page.getByText('The plan is outdated')).toBeVisible();
  await page.getByRole('button', { name: 'Make a new plan' }).click();
  // With the keyboard.
  await page.getByRole('button', { name: /^Apply/ }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Imported', { exact: true })).toBeVisible();
});

test('an import without a response offers a new plan, and a rejected one shows the action and the request', async ({ page }) => {
  const { organizationId } = await openNewOrganization(page);
  const other = await aPerson();
  const otherId = await anOrganization(other, 'Other');
  await createWarehouse(other, otherId, '');
  const file = await get(other, `${instance().url}/api/v1/organizations/${otherId}/configuration`);
  const path = new RegExp(`${organizationId}/configuration/apply`);
  await page.route(path, (route) =>
    route.fulfill({ status: 409, json: { code: 'limit', detail: 'Too many apps.', action: 'Delete one', requestId: 'req-7' } }),
  );
  await choose(page, JSON.stringify(file));
  const apply = page.getByRole('button', { name: /^Apply/ });
  await apply.click();
  await expect(page.getByRole('alert')).toContainText('Too many apps. Delete one. Request req-7');
  await page.unroute(path);

  // It is imported, but its response gets lost.
  await page.route(path, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await apply.click();
  await expect(page.getByText('The import may still be running')).toBeVisible();
  await expect(apply).toHaveCount(0);
  for (const { name, viewport } of SIZES) {
    await page.setViewportSize(viewport);
    await page.screenshot({ path: test.info().outputPath(`unknown-outcome-${name}.png`), fullPage: true });
  }
  await page.getByRole('button', { name: 'Make a new plan' }).click();
  await expect(page.getByText('Nothing to import')).toBeVisible();
});

test('is closed to editors', async ({ page }) => {
  const owner = await aPerson();
  const organizationId = await anOrganization(owner, 'Northwind');
  const editor = await aMember(owner, organizationId, 'editor');
  await openData(page, organizationId);
  await signIn(page, editor);
  await expect(page.getByText('Requires the Admin role to export or import the configuration')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Export configuration' })).toHaveCount(0);
});

for (const size of SIZES)
  test(`a plan has no WCAG violations or horizontal scrolling at ${size.name}`, async ({ browser }) => {
    const page = await openAt(browser, size);
    const { organizationId, ...person } = demo();
    await openData(page, organizationId);
    await signIn(page, person);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export configuration' }).click();
    const file = JSON.parse(await readFile(await (await download).path(), 'utf8')) as {
      connections: object[];
      sources: object[];
    };
    const connections = file.connections.map((connection) => ({ ...connection, tags: ['imported'] }));
    const missing = { key: 'missing', name: 'Lost', app: 'nothing', accountIds: ['1'], settings: {} };
    await choose(page, JSON.stringify({ ...file, connections, sources: [...file.sources, missing] }));
    await expect(page.getByText('Its app is not imported')).toBeVisible();
    for (const scheme of SCHEMES) {
      await show(page, size, scheme);
      await expectAccessible(page, `plan in ${scheme}`);
      expect(await overflowOf(page)).toBe(0);
    }
    await page.context().close();
  });

test('filters connections by a tag, and clones a connection', async ({ page, browser }) => {
  const file = await exportDemo(page);
  const other = await browser.newPage();
  const { owner, organizationId } = await openNewOrganization(other);
  const url = `${instance().url}/api/v1/organizations/${organizationId}/configuration`;
  const { digest } = await post<{ digest: string }>(`${url}/plan`, JSON.parse(file) as object, owner.token);
  await post(`${url}/apply?digest=${digest}`, JSON.parse(file) as object, owner.token);
  await open(other, `/${organizationId}/connection`);
  await other.getByRole('button', { name: 'More for Google Ads to warehouse' }).click();
  await other.getByRole('menuitem', { name: 'Clone' }).click();
  await other.getByRole('textbox', { name: 'Name' }).fill('Second');
  await other.getByRole('button', { name: 'Clone connection' }).click();
  await expect(other.getByRole('heading', { name: 'Second' })).toBeVisible();
  await other.getByPlaceholder('Type a tag and press Enter').fill('quarterly');
  await other.keyboard.press('Enter');
  await other.getByRole('button', { name: 'Save settings' }).click();
  await expect(other.getByText('Settings saved')).toBeVisible();
  await open(other, `/${organizationId}/connection`);
  await expect(other.getByText('2 connections, sorted by severity')).toBeVisible();
  await other.getByPlaceholder('All tags').click();
  await other.getByRole('option', { name: 'quarterly' }).click();
  await expect(other.getByText('1 connection, sorted by severity')).toBeVisible();
  await expect(other.getByRole('link', { name: 'Second' })).toBeVisible();
  await other.close();
});
