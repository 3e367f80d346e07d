import { expect, test } from '@playwright/test';
import { overflowOf, SCHEMES, show, SIZES, violationsOf } from './support/accessibility.ts';
import { anOrganization, aPerson, aStaffPerson } from './support/calls.ts';
import { openAs } from './support/steps.ts';

test('platform staff disable a user, who is signed out with the reason and cannot sign in again', async ({ page, browser }) => {
  const [staff, person] = [await aStaffPerson(), await aPerson()];
  const organizationId = await anOrganization(person);
  const theirs = await (await browser.newContext()).newPage();
  await openAs(theirs, person, `/${organizationId}/source`);
  await expect(theirs).toHaveURL(/\/source$/);

  await openAs(page, staff, '/people');
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Email').press('Enter');
  await expect(page.getByRole('list', { name: 'People' }).getByRole('listitem')).toHaveCount(1);
  await page.getByRole('button', { name: `Disable ${person.email}` }).click();
  const confirm = page.getByRole('button', { name: 'Disable person' });
  await expect(confirm).toBeDisabled();
  await page.getByLabel('Reason').fill('Left the company');
  await confirm.click();
  await expect(page.getByText('By platform staff: Left the company')).toBeVisible();

  await theirs.getByRole('link', { name: 'Destinations' }).first().click();
  await expect(theirs).toHaveURL(/\/login$/);
  await expect(theirs.getByRole('alert')).toHaveText('This account is disabled. Ask the operator of this instance.');
  await theirs.getByLabel('Email').fill(person.email);
  await theirs.getByLabel('Password', { exact: true }).fill(person.password);
  await theirs.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(theirs.getByRole('alert')).toHaveText('This account is disabled. Ask the operator of this instance.');
  await expect(theirs).toHaveURL(/\/login$/);

  for (const size of SIZES) {
    for (const colorScheme of SCHEMES) {
      await show(page, size, colorScheme);
      expect(await violationsOf(page), `${size.name} ${colorScheme}`).toEqual([]);
      expect(await overflowOf(page), `${size.name} ${colorScheme}`).toBe(0);
    }
  }
  await page.getByRole('button', { name: `Enable ${person.email}` }).click();
  await page.getByLabel('Reason').fill('Came back');
  await page.getByRole('button', { name: 'Enable person' }).click();
  await expect(page.getByRole('button', { name: `Disable ${person.email}` })).toBeVisible();
});

test('shows other users to platform staff only', async ({ page }) => {
  const person = await aPerson();
  await anOrganization(person);
  await openAs(page, person, '/people');
  const locked = page.getByText('Only platform staff can see other people');
  await expect(locked).toBeVisible();
  await page.route(/\/api\/(getUser|getOrSaveUser)$/, (route) => route.fulfill({ status: 503, body: '{}' }));
  await page.reload();
  await expect(locked).toBeVisible();
});
