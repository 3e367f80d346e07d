import { expect, test } from '@playwright/test';
import { anOrganization, aPerson } from './support/calls.ts';
import { instance } from './support/instance.ts';
import { openAs } from './support/steps.ts';

for (const { name, width } of [
  { name: 'the sidebar', width: 1440 },
  { name: 'the menu of a phone', width: 390 },
])
  test(`the data and the inbox of a demo are in the account menu, not in ${name}`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    const person = await aPerson();
    const organizationId = await anOrganization(person);
    await openAs(page, person, `/${organizationId}/source`);
    if (width < 768) await page.getByRole('button', { name: 'Open the menu' }).click();
    await expect(page.getByRole('link', { name: 'API docs' })).toBeVisible();
    await expect(page.getByRole('link', { name: /^Demo/ })).toHaveCount(0);
    await page.getByRole('button', { name: /Account menu/ }).click();
    await expect(page.getByRole('menuitem', { name: 'Demo data' })).toHaveAttribute('href', instance().sandboxUrl);
    const opened = page.context().waitForEvent('page');
    await page.getByRole('menuitem', { name: 'Demo inbox' }).click();
    await expect(await opened).toHaveURL(new URL(instance().mailUrl).href);
  });
