import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { expectAccessible, openAt, SIZES } from './support/accessibility.ts';
import { failAllPayments, passDays, subscribe, test, untilAccess } from './support/billing.ts';
import { anOrganization, aPerson } from './support/calls.ts';
import { open, openAs } from './support/steps.ts';

async function check(page: Page, name: string, path: string, ready: string | RegExp) {
  await open(page, path);
  await expect(page.getByText(ready).first()).toBeVisible();
  await expectAccessible(page, name);
}

for (const size of SIZES)
  test(`subscription pages have no WCAG violations in any state at ${size.name}`, async ({ browser }) => {
    const owner = await aPerson();
    const organizationId = await anOrganization(owner);
    const page = await openAt(browser, size);
    await openAs(page, owner, `/${organizationId}/subscription`);
    await check(page, 'no plan', `/${organizationId}/subscription`, 'A plan is required to load data');
    await check(page, 'failure', `/${organizationId}/subscription/failure`, 'Try again');
    await check(page, 'unknown checkout', `/${organizationId}/subscription/success`, 'This checkout does not belong to');
    await open(page, `/${organizationId}/subscription/success?session_id=cs_test_none`);
    await expect(page.getByRole('progressbar')).toBeVisible();
    await expectAccessible(page, 'confirming');
    await subscribe(owner, organizationId, 'later');
    await check(page, 'trial', `/${organizationId}/subscription`, 'Free trial');
    await check(page, 'usage', `/${organizationId}/settings?tab=usage`, 'Rows loaded per day');
    await passDays(organizationId, 15);
    await untilAccess(owner, organizationId, 'grace');
    await check(page, 'grace', `/${organizationId}/subscription`, 'Payment overdue');
    await check(page, 'grace, connections', `/${organizationId}/connection`, 'The last payment failed.');
    await failAllPayments(organizationId);
    await untilAccess(owner, organizationId, 'closed');
    await check(page, 'lapsed', `/${organizationId}/subscription`, 'Still available');
    await check(page, 'lapsed, settings', `/${organizationId}/settings`, 'No data was deleted');
    await page.context().close();
  });

test('reaches the checkout by keyboard only', async ({ page }) => {
  const owner = await aPerson();
  const organizationId = await anOrganization(owner);
  await openAs(page, owner, `/${organizationId}/connection`);
  const button = page.getByRole('button', { name: 'Start free trial' });
  await expect(button).toBeVisible();
  for (let presses = 0; presses < 20; presses += 1) {
    await page.keyboard.press('Tab');
    if (await button.evaluate((element) => element === document.activeElement)) break;
  }
  await expect(button).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Sandbox: this is not Stripe')).toBeVisible();
});
