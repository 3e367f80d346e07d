import { expect, test } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { expectAccessible, openAt, SIZES } from './support/accessibility.ts';
import { aMember, anOrganization, aPerson } from './support/calls.ts';
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

/** The navigation is a drawer on a phone. */
async function openNavigation(page: Page): Promise<void> {
  const opener = page.getByRole('button', { name: 'Open the menu' });
  if (await opener.isVisible()) await opener.click();
}

/** An item of a menu that opens a dialog. */
async function checkDialogOf(page: Page, name: string, opener: Locator, entry: string): Promise<void> {
  await opener.click();
  await check(page, name, item(page, entry), dialog(page));
}

for (const size of SIZES) {
  test(`menus, dialogs and drawers of connections have no violations at ${size.name}`, async ({ browser }) => {
    test.setTimeout(150_000);
    const { email, password, organizationId, connectionId } = demo();
    const page = await openAt(browser, size);
    const list = `/${organizationId}/connection`;
    await open(page, list);
    await signIn(page, { email, password });
    await expect(page.getByRole('heading', { name: 'Connections', level: 1 })).toBeVisible();
    // Cards of a phone have no menu.
    if (size.name === '1440') {
      const more = button(page, /^More for/);
      await check(page, 'menu of a row', more, menu(page));
      await checkDialogOf(page, 'clone', more, 'Clone');
      await checkDialogOf(page, 'delete from the list', more, 'Delete connection');
    }
    await openNavigation(page);
    await check(page, 'organizations', button(page, /Switch organization/), menu(page));
    await check(page, 'account menu', button(page, /Account menu/), menu(page));
    await open(page, list);
    await openNavigation(page);
    await button(page, 'Support').click();
    await expect(dialog(page).filter({ hasText: 'Support' }).last()).toBeVisible();
    await expectAccessible(page, 'support');

    await open(page, `${list}/${connectionId}/configuration`);
    await expect(page.getByText('Latest runs')).toBeVisible();
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
    await visit(page, 'new backfill', `${list}/${connectionId}/configuration?tab=backfills&new=backfill`, dialog(page));
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

  test(`dialogs of apps and settings, and other pages, have no violations at ${size.name}`, async ({ browser }) => {
    test.setTimeout(150_000);
    const owner = await aPerson();
    const organizationId = await anOrganization(owner);
    await aMember(owner, organizationId, 'editor');
    const page = await openAt(browser, size);
    await open(page, `/${organizationId}/settings?tab=team`);
    await signIn(page, owner);
    const ofMember = page.getByRole('button', { name: /^Actions for/ });
    await check(page, 'own menu', ofMember.last(), menu(page));
    await check(page, 'menu of a member', ofMember.first(), menu(page));
    await checkDialogOf(page, 'remove a member', ofMember.first(), 'Remove member');
    await open(page, `/${organizationId}/settings?tab=danger`);
    await check(page, 'delete organization', button(page, 'Delete organization'), dialog(page));
    await open(page, `/${organizationId}/settings?tab=general`);
    await page.getByLabel('Company name').fill('Another name');
    await openNavigation(page);
    await page.getByRole('link', { name: 'Alerts' }).first().click();
    await expect(
      dialog(page)
        .filter({ hasText: /changes|input/i })
        .last(),
    ).toBeVisible();
    await expectAccessible(page, 'leaving with unsaved input');
    for (const tab of ['security', 'notifications', 'webhooks'])
      await visit(page, `settings, ${tab}`, `/${organizationId}/settings?tab=${tab}`);
    for (const path of [
      'account',
      'organizations',
      `${organizationId}/alert`,
      `${organizationId}/conversion`,
      `${organizationId}/payment`,
    ])
      await visit(page, path, `/${path}`);
    for (const path of [
      'GoogleAds',
      'MetaAds',
      'MicrosoftAds',
      'app/connect/google_ads',
      'subscription/success',
      'subscription/failure',
    ])
      await visit(page, path, `/${organizationId}/${path}`);
    for (const path of ['bigquery', 'googleReauth', 'metaReauth', 'microsoftReauth']) await visit(page, path, `/${path}`);
    await page.context().close();
  });
}

/** Waits until the page has its heading and loads nothing. */
async function visit(page: Page, name: string, path: string, ready?: Locator): Promise<void> {
  await open(page, path);
  await expect(ready ?? page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await expectAccessible(page, name);
}
