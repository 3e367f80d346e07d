import { expect, test } from '@playwright/test';
import { violationsOf } from './support/accessibility.ts';
import { aMember, anOrganization, aPerson } from './support/calls.ts';
import { demo, instance } from './support/instance.ts';
import { openAs } from './support/steps.ts';
import pg from 'pg';

/** Gives a user a role in the organization of the demo, which has a connection. */
async function joinDemo(uid: string, role: 'viewer' | 'editor'): Promise<string> {
  const { organizationId } = demo();
  const database = new pg.Client({ connectionString: instance().databaseUrl });
  await database.connect();
  await database.query(`insert into members (organization_id, user_id, role) values ($1, $2, $3)`, [organizationId, uid, role]);
  await database.end();
  return organizationId;
}

test('a viewer sees the state of a connection and the role that its controls require', async ({ page }) => {
  const viewer = await aPerson();
  const organizationId = await joinDemo(viewer.uid, 'viewer');
  await openAs(page, viewer, `/${organizationId}/connection`);
  await expect(page.getByRole('button', { name: 'Create connection' })).toBeDisabled();
  await expect(page.getByText('Requires the Editor role')).toBeVisible();
  const toggle = page.getByRole('switch').first();
  await expect(toggle).toBeDisabled();
  await expect(toggle).toBeChecked();
  const background = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((track) => getComputedStyle(track).backgroundColor);
  expect(await background('.mantine-Switch-track')).not.toBe(await background('main'));
  await page
    .getByRole('button', { name: /^More for/ })
    .first()
    .click();
  await expect(page.getByRole('menu').getByText('Requires the Editor role')).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Run now' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await page.locator('tbody').getByRole('link').first().click();
  await expect(page.getByRole('button', { name: 'Run now' })).toBeDisabled();
  await expect(page.getByText('Requires the Editor role').first()).toBeVisible();
});

test('a page without permission names who can grant it, and the way back', async ({ page }) => {
  const owner = await aPerson();
  const organizationId = await anOrganization(owner);
  const viewer = await aMember(owner, organizationId, 'viewer');
  await openAs(page, viewer, `/${organizationId}/createConnection`);
  await expect(page.getByRole('group', { name: 'Requires the Editor role' })).toContainText('Ask Owner to change your role.');
  await page.getByRole('link', { name: 'Back to connections' }).click();
  await expect(page).toHaveURL(/\/connection$/);
});

test('menus have no accessibility violations', async ({ page }) => {
  const { email, password, organizationId } = demo();
  await openAs(page, { email, password }, `/${organizationId}/connection`);
  await expect(page.getByText('sorted by severity')).toBeVisible();
  for (const name of [/^More for/, /Account menu/, /Switch organization/]) {
    await page.getByRole('button', { name }).first().click();
    await expect(page.getByRole('menu')).toBeVisible();
    expect.soft(await violationsOf(page), String(name)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('menu').locator(':focus')).toHaveCount(1);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menu')).toHaveCount(0);
  }
});
