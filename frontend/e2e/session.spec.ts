import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { aMember, anInvitation, anOrganization, aPerson, removeMember } from './support/calls.ts';
import { instance } from './support/instance.ts';
import { open, signIn } from './support/steps.ts';

test('rejects a wrong password with a message', async ({ page }) => {
  const person = await aPerson();
  await open(page, '/login');
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill('wrong password');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText(/password/i);
  await expect(page).toHaveURL(/\/login$/);
});

test('Tab leads from the email to the password, and Enter signs in', async ({ page }) => {
  const person = await aPerson();
  await open(page, '/login');
  await page.getByLabel('Email').fill(person.email);
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  await page.keyboard.type(person.password);
  await page.keyboard.press('Enter');
  await expect(page).not.toHaveURL(/\/login/);
});

test('shows the fixed texts for a weak password and an email in use', async ({ page }) => {
  const person = await aPerson();
  await open(page, '/signUp');
  await page.getByLabel('Full name').fill('Owner');
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill('roof1');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('Password should be at least 6 characters long.')).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill('three small rivers');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('alert')).toHaveText('This email is already in use. Please try a different email or log in.');
});

test('shows which of several invalid fields has the focus', async ({ page }) => {
  await open(page, '/signUp');
  await page.getByRole('button', { name: 'Create account' }).click();
  const [name, email] = [page.getByLabel('Full name'), page.getByLabel('Email')];
  await expect(name).toBeFocused();
  await expect(name).toHaveCSS('outline-style', 'solid');
  await expect(email).toHaveAttribute('aria-invalid', 'true');
  await expect(email).toHaveCSS('outline-style', 'none');
});

test('the reset page does not reveal whether an account exists', async ({ page }) => {
  const person = await aPerson();
  const answers: string[] = [];
  for (const email of [person.email, 'nobody-at-all@example.com']) {
    await open(page, '/forgotPassword');
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Send link' }).click();
    await expect(page.getByRole('alert')).toBeVisible();
    answers.push((await page.getByRole('alert').innerText()).replace(email, '…'));
  }
  expect(answers[0]).toBe(answers[1]);
});

test('returns to the opened link with its query after the sign-in', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await open(page, `/${organizationId}/app/connect?from=mail`);
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByText('Sign in to continue to your apps.')).toBeVisible();
  await signIn(page, person);
  await expect(page).toHaveURL(new RegExp(`/${organizationId}/app/connect\\?from=mail$`));
});

test('ignores a saved target on another site', async ({ page, context }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await context.addCookies([{ name: 'callback-url', value: encodeURIComponent('//evil.example'), url: instance().url }]);
  await open(page, '/login');
  await signIn(page, person);
  await expect(page).toHaveURL(new RegExp(`/${organizationId}/connection$`));
});

test('opens onboarding without an organization, and the connections with one', async ({ page }) => {
  const person = await aPerson();
  await open(page, '/login');
  await signIn(page, person);
  await expect(page).toHaveURL(/\/onboarding$/);
  const organizationId = await anOrganization(person);
  await open(page, '/');
  await expect(page).toHaveURL(new RegExp(`/${organizationId}/connection$`));
});

test('treats another user’s organization as missing', async ({ page }) => {
  const [person, otherPerson] = [await aPerson(), await aPerson()];
  const [own, foreign] = [await anOrganization(person), await anOrganization(otherPerson)];
  await open(page, `/${foreign}/connection`);
  await signIn(page, person);
  await expect(page).toHaveURL(/\/organizations$/);
  await page
    .getByRole('main')
    .getByRole('link', { name: /Northwind/ })
    .click();
  await expect(page).toHaveURL(new RegExp(`/${own}/connection$`));
});

async function aSignedInMember(page: Page) {
  const owner = await aPerson();
  const organizationId = await anOrganization(owner);
  const member = await aMember(owner, organizationId, 'viewer');
  await open(page, `/${organizationId}/connection`);
  await signIn(page, member);
  await expect(page.getByRole('heading', { name: 'Connections', level: 1 })).toBeVisible();
  return { owner, organizationId, member };
}

test('a member who is removed from their only organization gets one message, and sees onboarding', async ({ page }) => {
  const { owner, organizationId, member } = await aSignedInMember(page);
  await removeMember(owner, organizationId, member.uid);
  await expect(page).toHaveURL(/\/onboarding$/);
  await expect(page.getByRole('textbox', { name: 'Company name' })).toBeVisible();
  await expect(page.getByText('You are no longer a member of Northwind, or it was deleted.')).toHaveCount(1);
});

test('a member who was removed while the page was closed gets one message, and sees onboarding', async ({ page }) => {
  const { owner, organizationId, member } = await aSignedInMember(page);
  await page.goto('about:blank');
  await removeMember(owner, organizationId, member.uid);
  await open(page, `/${organizationId}/connection`);
  await expect(page.getByRole('textbox', { name: 'Company name' })).toBeVisible();
  await expect(page).toHaveURL(/\/onboarding$/);
  await expect(page.getByText('You are no longer a member of Northwind, or it was deleted.')).toHaveCount(1);
});

test('a removed member who joins again without a reload sees the organization', async ({ page }) => {
  const { owner, organizationId, member } = await aSignedInMember(page);
  await removeMember(owner, organizationId, member.uid);
  await expect(page.getByRole('textbox', { name: 'Company name' })).toBeVisible();
  await anInvitation(owner, organizationId, member.email);
  const join = page.getByRole('button', { name: 'Join Northwind' });
  await expect(async () => {
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await expect(join).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await join.click();
  await expect(page.getByText('You joined Northwind')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Connections', level: 1 })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/${organizationId}/connection$`));
});

test('sign-out deletes the user’s data, and the next user is not redirected to the last page', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await open(page, `/${organizationId}/source`);
  await signIn(page, person);
  await page.getByRole('button', { name: /Account menu/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByText('Sign in to continue to')).toHaveCount(0);
  expect(await page.evaluate(() => [localStorage.getItem('fb_user'), localStorage.getItem('orgId')])).toEqual([null, null]);
});

test('shows an unknown path and sets the title', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await open(page, `/${organizationId}/conections`);
  await signIn(page, person);
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await expect(page.getByText(`/${organizationId}/conections`)).toBeVisible();
  await expect(page).toHaveTitle('Page Not Found');
});

test('shows Page not found for a missing connection', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await open(page, `/${organizationId}/connection/0198f3a2-7c41-7d0e-8000-000000000001/configuration`);
  await signIn(page, person);
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
});
