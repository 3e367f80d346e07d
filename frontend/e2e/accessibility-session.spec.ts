import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { overflowOf, SCHEMES, SIZES, violationsOf } from './support/accessibility.ts';
import { anInvitation, anOrganization, aPerson, newEmail } from './support/calls.ts';
import { waitForInvitation } from './support/mail.ts';
import { open, signIn } from './support/steps.ts';

async function check(page: Page, name: string, path: string, ready: string) {
  await open(page, path);
  await expect(page.getByText(ready).first()).toBeVisible();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  expect.soft(await violationsOf(page), name).toEqual([]);
  expect.soft(await overflowOf(page), `${name} scrolls horizontally`).toBe(0);
}

for (const { name: size, viewport } of SIZES)
  for (const colorScheme of SCHEMES)
    test(`sign-in, invitations and onboarding have no WCAG violations at ${size} in ${colorScheme}`, async ({ browser }) => {
      test.setTimeout(120_000);
      const owner = await aPerson();
      const organizationId = await anOrganization(owner);
      const guest = newEmail();
      await anInvitation(owner, organizationId, guest);
      const invitation = await waitForInvitation(guest);
      const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' });
      const page = await context.newPage();
      await check(page, 'sign-up', '/signUp', 'Create your account');
      await check(page, 'reset', '/forgotPassword', 'Reset your password');
      await check(page, 'invitation, signed out', invitation, 'Join Northwind');
      await check(page, 'no invitation', `/${organizationId}/acceptInvitation/${organizationId}`, 'No pending invitations found');
      await context.clearCookies();
      await open(page, '/login');
      const newcomer = await aPerson();
      await signIn(page, newcomer);
      await check(page, 'onboarding', '/onboarding', 'Company name');
      await check(page, 'invitation for another account', invitation, 'This invitation is for');
      await check(page, 'demo', '/demo', 'Go to');
      await open(page, '/onboarding');
      await page.getByRole('button', { name: /Account menu/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await context.clearCookies();
      await anOrganization(owner, 'Contoso');
      await signIn(page, owner);
      await expect(page).toHaveURL(/\/organizations$/);
      await check(page, 'organizations', '/organizations', 'Create organization');
      await check(page, 'choosing a source', '/addSource', 'Add source');
      await context.close();
    });
