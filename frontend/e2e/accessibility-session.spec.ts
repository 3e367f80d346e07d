import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { expectAccessible, openAt, SIZES } from './support/accessibility.ts';
import { anInvitation, anOrganization, aPerson, newEmail } from './support/calls.ts';
import { waitForInvitation } from './support/mail.ts';
import { open, signIn } from './support/steps.ts';

async function check(page: Page, name: string, path: string, ready: string) {
  await open(page, path);
  await expect(page.getByText(ready).first()).toBeVisible();
  await expectAccessible(page, name);
}

for (const size of SIZES)
  test(`sign-in, invitations and onboarding have no WCAG violations at ${size.name}`, async ({ browser }) => {
    const owner = await aPerson();
    const organizationId = await anOrganization(owner);
    const guest = newEmail();
    await anInvitation(owner, organizationId, guest);
    const invitation = await waitForInvitation(guest);
    const page = await openAt(browser, size);
    await check(page, 'sign-up', '/signUp', 'Create your account');
    await check(page, 'reset', '/forgotPassword', 'Reset your password');
    await check(page, 'invitation, signed out', invitation, 'Join Northwind');
    await check(page, 'no invitation', `/${organizationId}/acceptInvitation/${organizationId}`, 'No pending invitations found');
    await page.context().clearCookies();
    await open(page, '/login');
    const newcomer = await aPerson();
    await signIn(page, newcomer);
    await check(page, 'onboarding', '/onboarding', 'Company name');
    await check(page, 'invitation for another account', invitation, 'This invitation is for');
    await check(page, 'demo', '/demo', 'Cause a fault');
    await open(page, '/onboarding');
    await page.getByRole('button', { name: /Account menu/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.context().clearCookies();
    await anOrganization(owner, 'Contoso');
    await signIn(page, owner);
    await expect(page).toHaveURL(/\/organizations$/);
    await check(page, 'organizations', '/organizations', 'Create organization');
    await check(page, 'choosing a source', '/addSource', 'Add source');
    await page.context().close();
  });
