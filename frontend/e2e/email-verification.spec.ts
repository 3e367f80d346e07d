import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { overflowOf, SCHEMES, SIZES, violationsOf } from './support/accessibility.ts';
import { anInvitation, anOrganization, anUnverifiedPerson, aPerson, newEmail, post, verifyEmail } from './support/calls.ts';
import { instance } from './support/instance.ts';
import { waitForInvitation } from './support/mail.ts';
import { open, signIn, signUp } from './support/steps.ts';
import { countVerificationMails, openVerificationMail } from './support/verification.ts';

const bannerOf = (page: Page) => page.getByRole('complementary', { name: 'Email address' });

test('removes the banner and enables invitations after the verification, without a new sign-in', async ({ page }) => {
  const email = newEmail();
  await open(page, '/signUp');
  await signUp(page, email);
  const banner = bannerOf(page);
  await expect(banner).toContainText(`open the link that was sent to ${email}`);
  await expect.poll(() => countVerificationMails(email)).toBe(1);
  await page.getByLabel('Company name').fill('Northwind');
  await page.getByRole('button', { name: 'Create organization' }).click();
  await page.getByRole('button', { name: /Explore first/ }).click();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Team' }).click();
  await expect(page.getByRole('button', { name: 'Send invitation' })).toBeDisabled();
  await expect(page.getByText('Verify your email address first')).toBeVisible();

  await banner.getByRole('button', { name: 'I’ve verified it' }).click();
  await expect(banner.getByRole('status')).toContainText('Your address is not verified yet');
  await openVerificationMail(email);
  await banner.getByRole('button', { name: 'I’ve verified it' }).click();
  await expect(banner).toHaveCount(0);
  await page.getByRole('textbox', { name: 'Email' }).fill(newEmail());
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await expect(page.getByText(/Invitation sent to/)).toBeVisible();
});

test('sends another email and disables the next one for a minute', async ({ page }) => {
  const person = await anUnverifiedPerson();
  await open(page, '/account');
  await signIn(page, person);
  const banner = bannerOf(page);
  await banner.getByRole('button', { name: 'Resend' }).click();
  await expect(banner.getByRole('status')).toContainText(`Sent to ${person.email}`);
  await expect(banner.getByRole('button', { name: 'Resend' })).toBeDisabled();
  expect(await countVerificationMails(person.email)).toBe(1);
});

test('updates a page that is reloaded after the verification', async ({ page }) => {
  const person = await anUnverifiedPerson();
  const organizationId = await anOrganization(person);
  await open(page, `/${organizationId}/settings?tab=team`);
  await signIn(page, person);
  await expect(bannerOf(page)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Members' }).getByText('not verified')).toBeVisible();
  await verifyEmail(person);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Send invitation' })).toBeEnabled();
  await expect(bannerOf(page)).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Members' }).getByText('not verified')).toHaveCount(0);
});

for (const { name: size, viewport } of SIZES)
  for (const colorScheme of SCHEMES)
    test(`account page and banner have no WCAG violations at ${size} in ${colorScheme}`, async ({ browser }) => {
      const owner = await aPerson();
      const organizationId = await anOrganization(owner);
      const person = await anUnverifiedPerson();
      const invitationId = await anInvitation(owner, organizationId, person.email, 'admin');
      const link = await waitForInvitation(person.email, (path) => path.includes(invitationId));
      const token = new URL(link, instance().url).searchParams.get('token');
      await post(`${instance().url}/api/acceptInvitation`, { invitationId, token }, person.token);
      const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' });
      const page = await context.newPage();
      await open(page, '/account');
      await signIn(page, person);
      for (const path of ['/account', `/${organizationId}/settings?tab=team`, `/${organizationId}/settings?tab=security`]) {
        await open(page, path);
        await expect(bannerOf(page)).toBeVisible();
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
        if (process.env.E2E_PICTURES)
          await page.screenshot({
            path: `${process.env.E2E_PICTURES}/${path.replace(/\W+/g, '-').slice(-20)}-${size}-${colorScheme}.png`,
          });
        expect.soft(await violationsOf(page), path).toEqual([]);
        expect.soft(await overflowOf(page), `${path} scrolls horizontally`).toBe(0);
      }
      await context.close();
    });
