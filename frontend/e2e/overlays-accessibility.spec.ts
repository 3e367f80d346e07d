import { expect, test } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { expectAccessible, openAt, SIZES } from './support/accessibility.ts';
import { get, signInDemo } from './support/demo-calls.ts';
import { demo } from './support/instance.ts';
import { open, signIn } from './support/steps.ts';

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

for (const size of SIZES.filter(({ name }) => name === '1440')) {
  test(`menus, dialogs and drawers of connections have no violations at ${size.name}`, async ({ browser }) => {
    const { email, password, organizationId, connectionId } = demo();
    const page = await openAt(browser, size);
    const list = `/${organizationId}/connection`;
    await open(page, list);
    await signIn(page, { email, password });
    await expect(page.getByRole('heading', { name: 'Connections', level: 1 })).toBeVisible();
    const more = button(page, /^More for/);
    await check(page, 'menu of a row', more, menu(page));
    await checkDialogOf(page, 'clone', more, 'Clone');
    await checkDialogOf(page, 'delete from the list', more, 'Delete connection');
    await check(page, 'organizations', button(page, /Switch organization/), menu(page));
    await check(page, 'account menu', button(page, /Account menu/), menu(page));
    await open(page, list);
    await button(page, 'Support').click();
    await expect(dialog(page).filter({ hasText: 'Support' }).last()).toBeVisible();
    await expectAccessible(page, 'support');

    await open(page, `${list}/${connectionId}/configuration`);
    await expect(page.getByRole('heading', { name: 'Latest runs' })).toBeVisible();
    await check(page, 'menu of a connection', button(page, 'More'), menu(page));
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

/** Waits until the page has its heading and loads nothing. */
async function visit(page: Page, name: string, path: string, ready?: Locator): Promise<void> {
  await open(page, path);
  await expect(ready ?? page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await expectAccessible(page, name);
}
