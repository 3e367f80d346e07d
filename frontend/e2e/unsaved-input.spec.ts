import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { anOrganization, aPerson, renameResource } from './support/calls.ts';
import { connectSource, destinations, sources } from './support/pairs.ts';
import { fillInWarehouse, openAs } from './support/steps.ts';

/** Input is never discarded without a decision of the user. */

async function createDestination(page: Page, provider: 'postgresql' | 'mixpanel') {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await openAs(page, person, `/${organizationId}/destination/new/configuration?provider=${provider}`);
  if (provider === 'postgresql') await fillInWarehouse(page);
  else await destinations[2]!.fillIn(page, sources[0]!);
  await page.getByRole('button', { name: 'Add destination' }).click();
  await expect(page.getByText('Ready', { exact: true })).toBeVisible();
  const id = /\/destination\/([^/]+)\//.exec(page.url())![1]!;
  return { person, organizationId, id };
}

const saved = (page: Page) => page.getByText('Destination saved');

test('requires the secret for another service account and does not save without it', async ({ page }) => {
  await createDestination(page, 'mixpanel');
  const account = page.getByRole('textbox', { name: 'Service account' });
  await expect(account).toHaveAttribute('placeholder', 'Saved. Leave empty to keep it');
  await account.fill('reader.9b07de.mp-service-account');
  await page.getByRole('button', { name: 'Save destination' }).click();
  await expect(page.getByText('Enter a secret')).toBeVisible();
  await expect(account).toHaveValue('reader.9b07de.mp-service-account');
  await expect(saved(page)).toHaveCount(0);

  await account.fill('loader.f5a1c2.mp-service-account');
  await page.getByLabel('Secret', { exact: true }).fill('sandbox-loader-secret');
  await page.getByRole('button', { name: 'Save destination' }).click();
  await expect(saved(page)).toBeVisible();
});

test('keeps the input during a check and after a conflict', async ({ page }) => {
  const { person, organizationId, id } = await createDestination(page, 'postgresql');
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('Typed');
  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect(page.getByText('Can read back rows: Passed')).toBeVisible();
  await expect(name).toHaveValue('Typed');

  // Another user saves. Their version is not overwritten, and the input is kept.
  await renameResource(person, organizationId, 'destinations', id, 'Theirs');
  await page.getByRole('button', { name: 'Save destination' }).click();
  await expect(page.getByText('Someone else saved changes to this destination')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Theirs', level: 1 })).toBeVisible();
  await expect(name).toHaveValue('Typed');
  await expect(page.getByRole('button', { name: 'Save destination' })).toBeDisabled();
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await page.getByRole('button', { name: 'Save destination' }).click();
  await expect(page.getByRole('heading', { name: 'Typed', level: 1 })).toBeVisible();
});

test('keeps what is typed into a destination while its save ends, and saves it without a conflict', async ({ page }) => {
  const { id } = await createDestination(page, 'postgresql');
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('Renamed');
  // The form reads the saved version only when the test lets it.
  const gate = Promise.withResolvers<undefined>();
  await page.route(`**/destinations/${id}`, async (route) => {
    if (route.request().method() === 'GET') await gate.promise;
    await route.continue();
  });
  const stored = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
  const save = page.getByRole('button', { name: 'Save destination' });
  await save.click();
  expect((await stored).status()).toBe(200);
  const prefix = page.getByRole('textbox', { name: 'Table prefix' });
  await prefix.fill('later_');
  gate.resolve(undefined);
  await expect(page.getByRole('heading', { name: 'Renamed', level: 1 })).toBeVisible();
  await expect(prefix).toHaveValue('later_');
  await expect(name).toHaveValue('Renamed');
  await expect(page.getByText('Someone else saved changes')).toHaveCount(0);
  await save.click();
  await expect(save).toBeDisabled();
  await expect(prefix).toHaveValue('later_');
});

test('checks the saved destination when the form has no changes', async ({ page }) => {
  await createDestination(page, 'postgresql');
  await expect(page.getByRole('button', { name: 'Test now' })).toHaveCount(0);
  const check = page.waitForResponse((answer) => /\/destinations\/[^/]+\/check$/.test(answer.url()));
  await page.getByRole('button', { name: 'Test connection' }).click();
  expect((await check).status()).toBe(200);
  await expect(page.getByText('Can read back rows: Passed')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save destination' })).toBeDisabled();
});

test('keeps the input of a source after a conflict until the user chooses a version', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await openAs(page, person, '/addSource');
  await connectSource(page, sources[0]!);
  await page.getByRole('link', { name: 'Open source' }).click();
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('Typed');
  const id = /\/source\/([^/]+)\//.exec(page.url())![1]!;
  await renameResource(person, organizationId, 'sources', id, 'Theirs');
  await page.getByRole('button', { name: 'Save source' }).click();
  await expect(page.getByText('Someone else saved changes to this source')).toBeVisible();
  await expect(name).toHaveValue('Typed');
  await page.getByRole('button', { name: 'Use theirs' }).click();
  await expect(name).toHaveValue('Theirs');
});
