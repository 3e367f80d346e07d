import { expect, test } from '@playwright/test';
import { withGoogleWindow } from './support/google-window.ts';
import { open } from './support/steps.ts';

test('opens onboarding after a sign-in in the Google window', async ({ page, context }) => {
  await withGoogleWindow(context);
  await open(page, '/login');
  const [popup] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('button', { name: 'Continue with Google' }).click(),
  ]);
  await expect(page.getByText('Waiting for the Google window')).toBeVisible();
  await popup.getByRole('button', { name: /Add new account/ }).click();
  await popup.getByRole('button', { name: /Auto-generate/ }).click();
  await popup.getByRole('button', { name: /Sign in with/ }).click();
  await expect(page).toHaveURL(/\/onboarding$/);
});

test('explains how to allow a blocked window', async ({ page, context }) => {
  await withGoogleWindow(context);
  await page.addInitScript(() => {
    window.open = () => null;
  });
  await open(page, '/login');
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await expect(page.getByRole('alert')).toContainText('Your browser blocked the Google window');
  await expect(page.getByRole('alert')).toContainText('Allow pop-ups for');
  await expect(page.getByRole('button', { name: 'Try Google again' })).toBeVisible();
});

test('keeps the page usable when the window is closed', async ({ page, context }) => {
  await withGoogleWindow(context);
  await open(page, '/login');
  const [popup] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('button', { name: 'Continue with Google' }).click(),
  ]);
  await expect(popup.getByRole('button', { name: /Add new account/ })).toBeVisible();
  await expect(page.getByText('Waiting for the Google window')).toBeVisible();
  await popup.close();
  // The provider's library waits 8 s for a late answer.
  await expect(page.getByRole('alert')).toContainText('closed before the sign-in finished');
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeEnabled();
});
