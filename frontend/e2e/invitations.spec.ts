import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import {
  anInvitation,
  anOrganization,
  anUnverifiedPerson,
  aPerson,
  expireInvitation,
  newEmail,
  revokeInvitation,
  verifyEmail,
} from './support/calls.ts';
import type { Person } from './support/calls.ts';
import { mailedInvitation } from './support/mail.ts';
import { open, signIn, signUp } from './support/steps.ts';
import { openVerificationMail } from './support/verification.ts';

async function anInvited(person?: Person) {
  const owner = await aPerson();
  const organizationId = await anOrganization(owner, 'Northwind');
  const email = person?.email ?? newEmail();
  const invitationId = await anInvitation(owner, organizationId, email);
  const link = await mailedInvitation(email, (path) => path.includes(invitationId));
  return { owner, organizationId, email, invitationId, link };
}

const title = (page: Page, name: string) => expect(page.getByRole('heading', { level: 1, name })).toBeVisible();

test('an invitation is mailed, brings somebody through sign-up, and lets them in', async ({ page, browser }) => {
  test.setTimeout(90_000);
  const owner = await aPerson();
  const organizationId = await anOrganization(owner, 'Northwind');
  const email = newEmail();
  await open(page, `/${organizationId}/settings?tab=team`);
  await signIn(page, owner);
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await expect(page.getByRole('region', { name: 'Invitations' }).getByText(email)).toBeVisible();

  const invited = await (await browser.newContext()).newPage();
  await open(invited, await mailedInvitation(email));
  await title(invited, 'Join Northwind');
  await invited.getByRole('link', { name: 'Create account' }).click();
  await signUp(invited, email);
  await title(invited, 'Join Northwind');
  await invited.getByRole('button', { name: 'Join Northwind' }).click();
  await expect(invited).toHaveURL(new RegExp(`/${organizationId}/connection$`));
  await expect(invited.getByRole('button', { name: /Northwind/ }).first()).toBeVisible();

  await page.reload();
  await expect(page.getByRole('region', { name: 'Members' }).getByText(email)).toBeVisible();
  await invited.context().close();
});

test('somebody with an account is brought back to the invitation after signing in', async ({ page }) => {
  const person = await aPerson();
  const { organizationId, link } = await anInvited(person);
  await open(page, link);
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
  await signIn(page, person);
  await page.getByRole('button', { name: 'Join Northwind' }).click();
  await expect(page).toHaveURL(new RegExp(`/${organizationId}/connection$`));
});

test('in another account the invitation says so, and switching comes back to it', async ({ page }) => {
  const person = await aPerson();
  const stranger = await aPerson();
  const { organizationId, link, email } = await anInvited(person);
  await open(page, '/login');
  await signIn(page, stranger);
  await expect(page).toHaveURL(/\/onboarding$/);
  await open(page, link);
  await expect(page.getByText(`This invitation is for ${email}`)).toBeVisible();
  await expect(page.getByText(`You are signed in as ${stranger.email}`)).toBeVisible();
  await page.getByRole('button', { name: 'Switch account' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await signIn(page, person);
  await page.getByRole('button', { name: 'Join Northwind' }).click();
  await expect(page).toHaveURL(new RegExp(`/${organizationId}/connection$`));
});

test('an expired invitation says so and names who can send another', async ({ page }) => {
  const { owner, invitationId, link } = await anInvited();
  await expireInvitation(invitationId);
  await open(page, link);
  await title(page, 'This invitation has expired');
  await expect(page.getByText(owner.email)).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: 'Sign in' })).toBeVisible();
});

test('a revoked invitation lets nobody in', async ({ page }) => {
  const { owner, organizationId, invitationId, link } = await anInvited();
  await revokeInvitation(owner, organizationId, invitationId);
  await open(page, link);
  await title(page, 'This invitation was revoked');
});

test('one that is revoked while its reader thinks about it is refused with the fixed text', async ({ page }) => {
  const person = await aPerson();
  const { owner, organizationId, invitationId, link } = await anInvited(person);
  await open(page, '/login');
  await signIn(page, person);
  await expect(page).toHaveURL(/\/onboarding$/);
  await open(page, link);
  await expect(page.getByRole('button', { name: 'Join Northwind' })).toBeVisible();
  await revokeInvitation(owner, organizationId, invitationId);
  await page.getByRole('button', { name: 'Join Northwind' }).click();
  await title(page, 'This invitation was revoked');
  await expect(page.getByRole('alert').getByText('Error accepting invitation.')).toBeVisible();
});

test('a rejected invitation is over, for the invited and for who sent it', async ({ page }) => {
  const person = await aPerson();
  const { link } = await anInvited(person);
  await open(page, '/login');
  await signIn(page, person);
  await expect(page).toHaveURL(/\/onboarding$/);
  await open(page, link);
  await page.getByRole('button', { name: 'Decline' }).click();
  await expect(page).toHaveURL(/\/onboarding$/);
  await open(page, link);
  await title(page, 'This invitation was declined');
});

test('a used invitation leads its own reader into the organization', async ({ page }) => {
  const person = await aPerson();
  const { organizationId, link } = await anInvited(person);
  await open(page, '/login');
  await signIn(page, person);
  await expect(page).toHaveURL(/\/onboarding$/);
  await open(page, link);
  await page.getByRole('button', { name: 'Join Northwind' }).click();
  await expect(page).toHaveURL(new RegExp(`/${organizationId}/connection$`));
  await open(page, link);
  await title(page, 'This invitation was already used');
  await page.getByRole('link', { name: 'Open Northwind' }).click();
  await expect(page).toHaveURL(new RegExp(`/${organizationId}/connection$`));
});

test('an invitation that does not exist says so, and leads out', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await open(page, `/${organizationId}/acceptInvitation/0198f3a2-7c41-7d0e-8000-000000000001?token=made-up`);
  await title(page, 'No pending invitations found');
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
  await signIn(page, person);
  await title(page, 'No pending invitations found');
  await page.getByRole('link', { name: 'Go to your organizations' }).click();
  await expect(page).toHaveURL(new RegExp(`/${organizationId}/connection$`));
});

test('whoever has proved their e-mail finds the invitation without its link', async ({ page }) => {
  const person = await anUnverifiedPerson();
  await verifyEmail(person);
  const { organizationId } = await anInvited(person);
  await open(page, '/login');
  await signIn(page, person);
  await expect(page).toHaveURL(/\/onboarding$/);
  await page.getByRole('button', { name: 'Join Northwind' }).click();
  await expect(page).toHaveURL(new RegExp(`/${organizationId}/connection$`));
});

test('by keyboard alone somebody signs up, makes an organization and invites', async ({ page }) => {
  test.setTimeout(90_000);
  const email = newEmail();
  const guest = newEmail();
  const type = (text: string) => page.keyboard.type(text);
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  /** Goes on with Tab until what is named has the focus. */
  const tabTo = async (target: ReturnType<Page['getByRole']>) => {
    await expect(target).toBeVisible();
    for (let step = 0; step < 40; step += 1) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await page.keyboard.press('Tab');
    }
    await expect(target).toBeFocused();
  };
  await open(page, '/signUp');
  await tabTo(page.getByLabel('Full name'));
  await type('Owner');
  await tabTo(page.getByLabel('Email'));
  await type(email);
  await tabTo(page.getByLabel('Password', { exact: true }));
  await type('three small rivers');
  await press('Enter');
  await openVerificationMail(email);
  await tabTo(page.getByRole('button', { name: 'I have verified it' }));
  await press('Enter');
  await expect(page.getByRole('complementary', { name: 'E-mail address' })).toHaveCount(0);
  await tabTo(page.getByLabel('Company name'));
  await type('Northwind');
  await press('Enter');
  await tabTo(page.getByRole('button', { name: /Explore first/ }));
  await press('Enter');
  await tabTo(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }));
  await press('Enter');
  await tabTo(page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Team' }));
  await press('Enter');
  await tabTo(page.getByRole('textbox', { name: 'Email' }));
  await type(guest);
  await press('Enter');
  await expect(page.getByRole('region', { name: 'Invitations' }).getByText(guest)).toBeVisible();
});
