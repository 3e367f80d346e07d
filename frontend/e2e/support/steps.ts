import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { storedSession, type Person } from './calls.ts';
import { instance, warehouse } from './instance.ts';

/** User actions, located by the texts of the screens. */

export const open = (page: Page, path: string) => page.goto(new URL(path, instance().url).href);

export async function signIn(page: Page, { email, password }: Pick<Person, 'email' | 'password'>): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).not.toHaveURL(/\/login/);
}

/** From its next page on, the browser is signed in. The tests of the sign-in use `signIn`; the others do without its two pages. */
export async function startSignedIn(page: Page, { email, password }: Pick<Person, 'email' | 'password'>): Promise<void> {
  const { key, user } = await storedSession(email, password);
  await page.context().addInitScript(
    ([origin, name, value]) => {
      const isDone = 'signed-in-by-the-test';
      if (location.origin !== origin || localStorage.getItem(isDone)) return;
      // Only once: a user who signs out must stay signed out.
      localStorage.setItem(isDone, 'yes');
      localStorage.setItem(name, value);
    },
    [new URL(instance().url).origin, key, user] as const,
  );
}

export async function openAs(page: Page, person: Pick<Person, 'email' | 'password'>, path: string): Promise<void> {
  await startSignedIn(page, person);
  await open(page, path);
}

export async function signUp(page: Page, email: string): Promise<void> {
  await page.getByLabel('Full name').fill('Guest');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('three small rivers');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page).not.toHaveURL(/\/signUp/);
}

export type Platform = 'Google' | 'Facebook' | 'Microsoft';

/** The sandbox's consent page, in a pop-up window or, on a phone, on the same page. */
export async function consentPage(page: Page, platform: Platform = 'Google'): Promise<Page> {
  const mark = `Sandbox: this is not ${platform}`;
  let found: Page | undefined;
  await expect
    .poll(
      async () => {
        for (const one of page.context().pages())
          if (
            await one
              .getByText(mark)
              .isVisible()
              .catch(() => false)
          )
            found = one;
        return found !== undefined;
      },
      { message: mark },
    )
    .toBe(true);
  return found!;
}

const ALLOW_BUTTONS: Record<Platform, string> = { Google: 'Allow', Facebook: 'Continue', Microsoft: 'Accept' };

/** Grants access on the sandbox's consent page. */
export async function allowAccess(page: Page, user?: string, platform: Platform = 'Google'): Promise<void> {
  const consent = await consentPage(page, platform);
  if (user) await consent.locator(`input[name=user][value="${user}"]`).check();
  await consent.getByRole('button', { name: ALLOW_BUTTONS[platform], exact: true }).click();
}

export async function denyAccess(page: Page, platform: Platform = 'Google'): Promise<void> {
  const consent = await consentPage(page, platform);
  await consent.getByRole('button', { name: platform === 'Google' ? 'Deny' : 'Cancel' }).click();
}

export async function fillInWarehouse(page: Page, password = warehouse().password): Promise<void> {
  const { host, port, database, user } = warehouse();
  await page.getByRole('textbox', { name: 'Host' }).fill(host);
  await page.getByRole('textbox', { name: 'Port' }).fill(port);
  await page.getByRole('textbox', { name: 'Database' }).fill(database);
  await page.getByRole('textbox', { name: 'User' }).fill(user);
  // The test server has no TLS.
  await page.getByRole('combobox', { name: 'Encryption' }).click();
  await page.getByRole('option', { name: 'None', exact: true }).click();
  await page.getByLabel('Password', { exact: true }).fill(password);
}

/** Creates a connection in the wizard: source, destination, settings, review. It loads the last 30 days. */
export async function createConnection(
  page: Page,
  { user, prefix, name }: { user?: string; prefix: string; name: string },
): Promise<void> {
  await page.getByRole('button', { name: 'Connect Google Ads' }).click();
  await allowAccess(page, user);
  await expect(page.getByRole('heading', { name: 'Choose ad accounts' })).toBeVisible();
  await page.getByRole('button', { name: /^Continue with \d+ account/ }).click();
  await page.getByRole('radio', { name: /New PostgreSQL/ }).check();
  await fillInWarehouse(page);
  await page.getByRole('textbox', { name: 'Table prefix' }).fill(prefix);
  await page.getByRole('button', { name: 'Test and continue' }).click();
  await expect(page.getByRole('region', { name: 'Streams' })).toBeVisible();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('region', { name: 'Start date' }).getByText('30 days', { exact: true }).click();
  await page.getByRole('button', { name: 'Review' }).click();
  await expect(page.getByRole('heading', { name: 'First rows' })).toBeVisible();
  await page.getByRole('button', { name: 'Create connection' }).click();
  await expect(page.getByRole('heading', { name })).toBeVisible();
}
