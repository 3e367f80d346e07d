import { expect, test } from '@playwright/test';
import { expectAccessible, openAt, SIZES } from './support/accessibility.ts';
import { anOrganization, aPerson } from './support/calls.ts';
import { aPayment, aShop, SHOP_STEPS, untilLoaded } from './support/payments.ts';
import { newPrefix } from './support/prefixes.ts';
import { open, openAs } from './support/steps.ts';

for (const size of SIZES) {
  test(`pages of payments have no WCAG violations or horizontal scrolling at ${size.name}`, async ({ browser }) => {
    const page = await openAt(browser, size);
    const person = await aPerson();
    const organizationId = await anOrganization(person);
    await openAs(page, person, `/${organizationId}/payment`);
    await expect(page.getByText('No payments yet')).toBeVisible();
    await expectAccessible(page, 'no payments');
    await open(page, `/${organizationId}/payment/new/configuration`);
    await expect(page.getByLabel('Restricted key')).toBeVisible();
    await page.getByText('Permissions of the key').click();
    await expectAccessible(page, 'new payment without an account');

    const shop = await aShop('Lantern Books', SHOP_STEPS);
    const id = await aPayment(person, { organizationId, shop, prefix: newPrefix('paid') });
    await untilLoaded(person, organizationId, id);
    const at = `/${organizationId}/payment/${id}/configuration`;
    const screens: [path: string, ready: string][] = [
      [`/${organizationId}/payment`, 'Shop revenue'],
      [`/${organizationId}/payment?search=nothing`, 'No results for “nothing”'],
      [`/${organizationId}/payment/new/configuration`, 'Connect another account'],
      [at, 'Verified'],
      [`${at}?tab=revenue`, 'Not included now'],
      [`${at}?tab=webhook`, 'No secret entered'],
      [`${at}?tab=settings`, 'Save settings'],
    ];
    for (const [path, ready] of screens) {
      await open(page, path);
      await expect(page.getByText(ready).first()).toBeAttached();
      await expectAccessible(page, path.replace(organizationId, ''));
    }
    await open(page, `${at}?tab=events`);
    await page.getByRole('button', { name: 'Load sample' }).click();
    await expect(page.getByRole('region', { name: 'Newest loaded events' }).last()).toBeVisible();
    await expectAccessible(page, 'sample events');
    await page.context().close();
  });
}
