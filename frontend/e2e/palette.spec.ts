import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { violationsOf } from './support/accessibility.ts';
import { aMember, anOrganization, aPerson } from './support/calls.ts';
import { demo } from './support/instance.ts';
import { open, openAs } from './support/steps.ts';

async function openDemo(page: Page, path = 'connection') {
  const { email, password, organizationId } = demo();
  await openAs(page, { email, password }, `/${organizationId}/${path}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search or jump to' });
const field = (page: Page) => palette(page).getByRole('combobox');
const selected = (page: Page) => palette(page).getByRole('option', { selected: true });

test('the first result is selected while typing, and Enter opens it', async ({ page }) => {
  await openDemo(page);
  await expect(page.getByText('sorted by severity')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  await expect(field(page)).toBeFocused();
  const name = (await page.locator('tbody').getByRole('link').first().textContent())!;
  await field(page).fill(name.slice(0, 6));
  await expect(selected(page)).toContainText(name.slice(0, 6));
  const first = (await selected(page).textContent())!;
  await page.keyboard.press('ArrowDown');
  await expect(selected(page)).not.toHaveText(first);
  await page.keyboard.press('ArrowUp');
  await expect(selected(page)).toHaveText(first);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/connection\/[^/]+\/configuration/);
  await page.keyboard.press('ControlOrMeta+k');
  await expect(palette(page).getByRole('group', { name: 'Recent' }).getByRole('option')).toHaveCount(1);
});

test('does not move while typing, has a name, and gives the focus back', async ({ page }) => {
  await openDemo(page);
  const opener = page.getByRole('button', { name: /Search or jump to/ }).first();
  await opener.click();
  await expect(field(page)).toBeFocused();
  const before = (await palette(page).boundingBox())!;
  for (const query of ['a', 'meta', 'no such thing']) {
    await field(page).fill(query);
    expect(await palette(page).boundingBox()).toEqual(before);
  }
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(palette(page)).toHaveCount(0);
  await expect(opener).toBeFocused();
});

for (const [query, name] of [
  ['run', /^Run .* now/],
  ['invite', 'Invite a member'],
  ['dark', 'Use the dark theme'],
  ['warehouse', /Warehouse/i],
  ['danger', 'Settings: Danger zone'],
] as const)
  test(`finds “${query}”`, async ({ page }) => {
    await openDemo(page);
    await page.keyboard.press('ControlOrMeta+k');
    await field(page).fill(query);
    await expect(selected(page)).toContainText(name);
  });

test('acts: changes the theme, and lists the shortcuts', async ({ page }) => {
  await openDemo(page);
  await expect(page.getByText('sorted by severity')).toBeVisible();
  const command = async (query: string) => {
    await page.keyboard.press('ControlOrMeta+k');
    await field(page).fill(query);
    await expect(selected(page)).toContainText(query);
    await page.keyboard.press('Enter');
    await expect(palette(page)).toHaveCount(0);
  };
  await command('dark theme');
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await command('light theme');
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
});

test('names the role that an action requires', async ({ page }) => {
  const owner = await aPerson();
  const organizationId = await anOrganization(owner);
  const viewer = await aMember(owner, organizationId, 'viewer');
  await openAs(page, viewer, `/${organizationId}/connection`);
  await expect(page.getByText('No connections yet')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  await field(page).fill('create connection');
  await expect(selected(page)).toHaveAttribute('aria-disabled', 'true');
  await expect(selected(page)).toContainText('Requires the Editor role');
  await page.keyboard.press('Enter');
  await expect(palette(page)).toBeVisible();
});

test('finds a connection by some of its letters, in bold', async ({ page }) => {
  await openDemo(page);
  await page.keyboard.press('ControlOrMeta+k');
  await field(page).fill('wrehse');
  await expect(selected(page)).toContainText(/Warehouse/i);
  await expect(selected(page).locator('strong').first()).toHaveText(/^W$/i);
});

test('finds the latest runs, those of a connection with one request, and one by its ID', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (/\/runs[/?]/.test(request.url())) asked.push(new URL(request.url()).pathname);
  });
  await openDemo(page);
  await expect(page.getByText('sorted by severity')).toBeVisible();
  const name = (await page.locator('tbody').getByRole('link').first().textContent())!;
  await page.keyboard.press('ControlOrMeta+k');
  const runs = palette(page).getByRole('group', { name: 'Runs' });
  await field(page).fill('latest run');
  await expect(runs.getByRole('option').first()).toContainText(/Run of .+(ago|just now)/);
  expect(asked).toEqual([]);

  await field(page).pressSequentially(` of ${name}`);
  await expect(runs.getByRole('option').first()).toContainText(`Run of ${name}`);
  await expect.poll(() => asked.length).toBe(1);
  expect(asked[0]).toMatch(/\/runs$/);
  await runs.getByRole('option').first().click();
  await expect(page).toHaveURL(/tab=runs&run=[\w-]+$/);
  const drawer = page.getByRole('dialog', { name: /run/i });
  await expect(drawer).toBeVisible();
  const id = new URL(page.url()).searchParams.get('run')!;

  await open(page, `/${demo().organizationId}/connection`);
  await expect(page.getByText('sorted by severity')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  await field(page).fill(id);
  await expect(selected(page)).toContainText(`Run of ${name}`);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`run=${id}$`));
  await expect(drawer).toBeVisible();
});

test('says that no run has a pasted ID', async ({ page }) => {
  await openDemo(page);
  await page.keyboard.press('ControlOrMeta+k');
  await field(page).fill('019a8c3e-0f7b-7cc2-9d41-5f0f5a6f1b22');
  await expect(palette(page).getByText('No results for “019a8c3e-0f7b-7cc2-9d41-5f0f5a6f1b22”')).toBeVisible();
});
