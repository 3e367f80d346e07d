import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { violationsOf } from './support/accessibility.ts';
import { aMember, anOrganization, aPerson } from './support/calls.ts';
import { demo } from './support/instance.ts';
import { open, signIn } from './support/steps.ts';

async function openDemo(page: Page, path = 'connection') {
  const { email, password, organizationId } = demo();
  await open(page, `/${organizationId}/${path}`);
  await signIn(page, { email, password });
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
  await open(page, `/${organizationId}/connection`);
  await signIn(page, viewer);
  await expect(page.getByText('No connections yet')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  await field(page).fill('create connection');
  await expect(selected(page)).toHaveAttribute('aria-disabled', 'true');
  await expect(selected(page)).toContainText('Requires the Editor role');
  await page.keyboard.press('Enter');
  await expect(palette(page)).toBeVisible();
});
