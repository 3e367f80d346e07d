import { expect, test } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { expectAccessible, openAt, SIZES } from './support/accessibility.ts';
import { aMember, anOrganization, aPerson, post } from './support/calls.ts';
import { get, signInDemo } from './support/demo-calls.ts';
import { demo, instance } from './support/instance.ts';
import { open, openAs } from './support/steps.ts';

/** Opens an overlay, checks it, and closes it. */
async function check(page: Page, name: string, opener: Locator, overlay: Locator): Promise<void> {
  await opener.click();
  await expect(overlay).toBeVisible();
  await expectAccessible(page, name);
  await page.keyboard.press('Escape');
  await expect(overlay).toHaveCount(0);
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first();
const menu = (page: Page) => page.getByRole('menu');
const dialog = (page: Page) => page.getByRole('dialog');
const item = (page: Page, name: string) => page.getByRole('menuitem', { name });

/** An item of a menu that opens a dialog. */
async function checkDialogOf(page: Page, name: string, opener: Locator, entry: string): Promise<void> {
  await opener.click();
  await check(page, name, item(page, entry), dialog(page));
}

/** On a phone, the navigation is a drawer. */
async function showNavigation(page: Page, path: string, isPhone: boolean): Promise<void> {
  await open(page, path);
  if (!isPhone) return;
  await button(page, 'Open the menu').click();
  await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible();
}

/** A menu of the navigation, which stays open below it on a phone. */
async function checkNavigationMenu(page: Page, name: string, opener: RegExp): Promise<void> {
  await button(page, opener).click();
  await expect(menu(page)).toBeVisible();
  await expectAccessible(page, name);
}

for (const size of SIZES) {
  const isPhone = size.name === '360';

  test(`menus, dialogs and drawers of connections have no violations at ${size.name}`, async ({ browser }) => {
    const { email, password, organizationId, connectionId } = demo();
    const page = await openAt(browser, size);
    const list = `/${organizationId}/connection`;
    await openAs(page, { email, password }, list);
    await expect(page.getByRole('heading', { name: 'Connections', level: 1 })).toBeVisible();
    const more = button(page, /^More for/).first();
    await check(page, 'menu of a row', more, menu(page));
    await checkDialogOf(page, 'clone', more, 'Clone');
    await checkDialogOf(page, 'delete from the list', more, 'Delete connection');
    await showNavigation(page, list, isPhone);
    await checkNavigationMenu(page, 'organizations', /Switch organization/);
    await showNavigation(page, list, isPhone);
    await checkNavigationMenu(page, 'account menu', /Account menu/);
    await showNavigation(page, list, isPhone);
    await button(page, 'Support').click();
    // By its name: on a phone, the drawer below it is a dialog that contains the same word.
    await expect(page.getByRole('dialog', { name: 'Support' })).toBeVisible();
    await expectAccessible(page, 'support');

    await open(page, `${list}/${connectionId}/configuration`);
    await expect(page.getByRole('heading', { name: 'Latest runs' })).toBeVisible();
    await check(page, 'menu of a connection', button(page, 'More'), menu(page));
    await checkDialogOf(page, 'clone from the page', button(page, 'More'), 'Clone');
    await checkDialogOf(page, 'delete', button(page, 'More'), 'Delete connection');
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
    await expectAccessible(page, 'shortcuts');
    await page.keyboard.press('Escape');
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('combobox').fill('google');
    await expect(page.getByRole('option').first()).toBeVisible();
    await expectAccessible(page, 'palette');

    await visit(page, 'new backfill', `${list}/${connectionId}/configuration?tab=backfills&new=backfill`, dialog(page));
    for (const tab of ['backfills', 'data', 'changes'])
      await visit(page, tab, `${list}/${connectionId}/configuration?tab=${tab}`);
    await visit(page, 'test bench', `${list}/${connectionId}/test1`);
    const { items } = await get<{ items: { id: string }[] }>(await signInDemo(), `runs?connectionId=${connectionId}&limit=1`);
    for (const details of ['summary', 'log', 'requests'])
      await visit(
        page,
        `run, ${details}`,
        `${list}/${connectionId}/configuration?tab=runs&run=${items[0]!.id}&details=${details}`,
        dialog(page).getByRole('tab').first(),
      );
    await page.context().close();
  });
}

for (const size of SIZES)
  test(`menus and dialogs of apps and settings have no violations at ${size.name}`, async ({ browser }) => {
    test.setTimeout(150_000);
    const owner = await aPerson();
    const organizationId = await anOrganization(owner);
    await aMember(owner, organizationId, 'editor');
    const api = `${instance().url}/api/v1/organizations/${organizationId}`;
    const { id } = await post<{ id: string }>(`${api}/apps`, { provider: 'google_ads', displayName: 'Search' }, owner.token);
    await post(`${api}/api-keys`, { name: 'dbt nightly job', role: 'viewer' }, owner.token);
    const page = await openAt(browser, size);
    await openAs(page, owner, `/${organizationId}/app/${id}`);
    await expect(button(page, 'Rename')).toBeVisible();
    await check(page, 'rename an app', button(page, 'Rename'), dialog(page));
    await check(page, 'delete an app', button(page, 'Delete'), dialog(page));

    const settings = (tab: string) => open(page, `/${organizationId}/settings?tab=${tab}`);
    await settings('team');
    const actions = page.getByRole('button', { name: /^Actions for/ });
    await expect(actions).toHaveCount(2);
    for (const place of [0, 1]) await check(page, `menu of member ${place + 1}`, actions.nth(place), menu(page));
    const other = page.getByRole('row', { name: /Editor/ }).getByRole('button', { name: /^Actions for/ });
    await checkDialogOf(page, 'transfer', other, 'Transfer ownership');
    await checkDialogOf(page, 'remove a member', other, 'Remove member');
    await settings('api-keys');
    await check(page, 'revoke a key', button(page, 'Revoke dbt nightly job'), dialog(page));
    await settings('danger');
    await check(page, 'delete the organization', button(page, 'Delete organization'), dialog(page));
    await page.context().close();
  });

/** Waits until the page has its heading and loads nothing. */
async function visit(page: Page, name: string, path: string, ready?: Locator): Promise<void> {
  await open(page, path);
  await expect(ready ?? page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await expectAccessible(page, name);
}
