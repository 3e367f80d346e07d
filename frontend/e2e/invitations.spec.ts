import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import {
  anInvitation,
  anOrganization,
  anUnverifiedPerson,
  aPerson,
  expireInvitation,
  newEmail,
  removeMember,
  revokeInvitation,
  verifyEmail,
} from './support/calls.ts';
import type { Person } from './support/calls.ts';
import { waitForInvitation } from './support/mail.ts';
import { tabTo } from './support/keyboard.ts';
import { open, openAs, signIn, signUp } from './support/steps.ts';
import { openVerificationMail } from './support/verification.ts';

async function inviteGuest(person?: Person) {
  const owner = await aPerson();
  const organizationId = await anOrganization(owner, 'Northwind');
  const email = person?.email ?? newEmail();
  const invitationId = await anInvitation(owner, organizationId, email);
  const link = await waitForInvitation(email, (path) => path.includes(invitationId));
  return { owner, organizationId, email, invitationId, link };
}

const title = (page: Page, name: string) => expect(page.getByRole('heading', { level: 1, name })).toBeVisible();

test('an invited user signs up from the email and joins the organization', async ({ page, browser }) => {
  const owner = await aPerson();
  const organizationId = await anOrganization(owner, 'Northwind');
  const email = newEmail();
  await openAs(page, owner, `/${organizationId}/settings?tab=team`);
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await expect(page.getByRole('region', { name: 'Invitations' }).getByText(email)).toBeVisible();

  const invited = await (await browser.newContext()).newPage();
  await open(invited, await waitForInvitation(email));
  await title(invited, 'Join Northwind');
  await invited.getByRole('link', { name: 'Create account' }).click();
  await expect(invited.getByLabel('Email')).toHaveValue(email);
  await signUp(invited, email);
  await title(invited, 'Join Northwind');
  await invited.getByRole('button', { name: 'Join Northwind' }).click();
  await expect(invited).toHaveURL(new RegExp(`/${organizationId}/connection$`));
  await expect(invited.getByRole('button', { name: /Northwind/ }).first()).toBeVisible();

  // Both pages follow without a reload.
  const row = page.getByRole('region', { name: 'Members' });
  await expect(row.getByText(email)).toBeVisible();
  await expect(invited.getByRole('link', { name: 'Create connection' })).toBeVisible();
  await row.getByRole('combobox', { name: 'Role of Guest' }).click();
  await page.getByRole('option', { name: 'Viewer' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click();
  await expect(page.getByText('Guest is now a viewer')).toBeVisible();
  await expect(invited.getByText('Requires the Editor role')).toBeVisible();
  await expect(invited.getByRole('button', { name: 'Create connection' })).toBeDisabled();
  await invited.context().close();
});

test('returns to the invitation after the sign-in', async ({ page }) => {
  const person = await aPerson();
  const { organizationId, link } = await inviteGuest(person);
  await open(page, link);
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
  await signIn(page, person);
  await page.getByRole('button', { name: 'Join Northwind' }).click();
  await expect(page).toHaveURL(new RegExp(`/${organizationId}/connection$`));
});

test('shows that the invitation is for another account, and returns to it after switching', async ({ page }) => {
  const person = await aPerson();
  const otherPerson = await aPerson();
  const { organizationId, link, email } = await inviteGuest(person);
  await open(page, '/login');
  await signIn(page, otherPerson);
  await expect(page).toHaveURL(/\/onboarding$/);
  await open(page, link);
  await expect(page.getByText(`This invitation is for ${email}`)).toBeVisible();
  await expect(page.getByText(`You are signed in as ${otherPerson.email}`)).toBeVisible();
  await page.getByRole('button', { name: 'Switch account' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await signIn(page, person);
  await page.getByRole('button', { name: 'Join Northwind' }).click();
  await expect(page).toHaveURL(new RegExp(`/${organizationId}/connection$`));
});

test('an expired invitation names the inviter', async ({ page }) => {
  const { owner, invitationId, link } = await inviteGuest();
  await expireInvitation(invitationId);
  await open(page, link);
  await title(page, 'This invitation has expired');
  await expect(page.getByText(owner.email)).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: 'Sign in' })).toBeVisible();
});

test('a revoked invitation cannot be accepted', async ({ page }) => {
  const { owner, organizationId, invitationId, link } = await inviteGuest();
  await revokeInvitation(owner, organizationId, invitationId);
  await open(page, link);
  await title(page, 'This invitation was revoked');
});

test('rejects an invitation that was revoked on the open page, with the fixed text', async ({ page }) => {
  const person = await aPerson();
  const { owner, organizationId, invitationId, link } = await inviteGuest(person);
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

test('a rejected invitation cannot be accepted afterwards', async ({ page }) => {
  const person = await aPerson();
  const { link } = await inviteGuest(person);
  await open(page, '/login');
  await signIn(page, person);
  await expect(page).toHaveURL(/\/onboarding$/);
  await open(page, link);
  await page.getByRole('button', { name: 'Decline' }).click();
  await expect(page).toHaveURL(/\/onboarding$/);
  await open(page, link);
  await title(page, 'This invitation was declined');
});

test('a used invitation links to the organization', async ({ page }) => {
  const person = await aPerson();
  const { organizationId, link } = await inviteGuest(person);
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

test('a used invitation of a removed member offers to ask for a new one', async ({ page }) => {
  const person = await aPerson();
  const { owner, organizationId, link } = await inviteGuest(person);
  await open(page, '/login');
  await signIn(page, person);
  await expect(page).toHaveURL(/\/onboarding$/);
  await open(page, link);
  await page.getByRole('button', { name: 'Join Northwind' }).click();
  await expect(page).toHaveURL(new RegExp(`/${organizationId}/connection$`));
  await removeMember(owner, organizationId, person.uid);
  await expect(page).toHaveURL(/\/onboarding$/);
  await open(page, link);
  await title(page, 'This invitation was already used');
  await expect(page.getByText('You are no longer a member of Northwind.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Ask for a new invitation' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Open Northwind' })).toHaveCount(0);
});

test('a missing invitation links to the user’s organizations', async ({ page }) => {
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

test('a user with a verified email address finds the invitation without the link', async ({ page }) => {
  const person = await anUnverifiedPerson();
  await verifyEmail(person);
  const { organizationId } = await inviteGuest(person);
  await open(page, '/login');
  await signIn(page, person);
  await expect(page).toHaveURL(/\/onboarding$/);
  await page.getByRole('button', { name: 'Join Northwind' }).click();
  await expect(page).toHaveURL(new RegExp(`/${organizationId}/connection$`));
});

test('signs up, creates an organization and invites a user by keyboard only', async ({ page }) => {
  const email = newEmail();
  const guest = newEmail();
  const type = (text: string) => page.keyboard.type(text);
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await open(page, '/signUp');
  await tabTo(page, page.getByLabel('Full name'));
  await type('Owner');
  await tabTo(page, page.getByLabel('Email'));
  await type(email);
  await tabTo(page, page.getByLabel('Password', { exact: true }));
  await type('three small rivers');
  await press('Enter');
  await openVerificationMail(email);
  await tabTo(page, page.getByRole('button', { name: 'I’ve verified it' }));
  await press('Enter');
  await expect(page.getByRole('complementary', { name: 'Email address' })).toHaveCount(0);
  await tabTo(page, page.getByLabel('Company name'));
  await type('Northwind');
  await press('Enter');
  await tabTo(page, page.getByRole('button', { name: /Explore first/ }));
  await press('Enter');
  await tabTo(page, page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }));
  await press('Enter');
  await tabTo(page, page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Team' }));
  await press('Enter');
  await tabTo(page, page.getByRole('textbox', { name: 'Email' }));
  await type(guest);
  await press('Enter');
  await expect(page.getByRole('region', { name: 'Invitations' }).getByText(guest)).toBeVisible();
});
