import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { anOrganization, aPerson, renameThing } from './support/calls.ts';
import { connectSource, destinations, sources } from './support/pairs.ts';
import { fillInWarehouse, open, signIn } from './support/steps.ts';

/** What somebody has typed is never lost without being asked for. */

async function aDestination(page: Page, provider: 'postgresql' | 'mixpanel') {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await open(page, `/${organizationId}/destination/new/configuration?provider=${provider}`);
  await signIn(page, person);
  if (provider === 'postgresql') await fillInWarehouse(page);
  else await destinations[2]!.fillIn(page, sources[0]!);
  await page.getByRole('button', { name: 'Add destination' }).click();
  await expect(page.getByText('Ready', { exact: true })).toBeVisible({ timeout: 20_000 });
  const id = /\/destination\/([^/]+)\//.exec(page.url())![1]!;
  return { person, organizationId, id };
}

const saved = (page: Page) => page.getByText('Destination saved');

test('another service account without its secret is asked for the secret, and is not taken for saved', async ({ page }) => {
  await aDestination(page, 'mixpanel');
  const account = page.getByRole('textbox', { name: 'Service account' });
  await expect(account).toHaveAttribute('placeholder', 'Saved; leave empty to keep it');
  await account.fill('reader.9b07de.mp-service-account');
  await page.getByRole('button', { name: 'Save destination' }).click();
  await expect(page.getByText('Secret is needed')).toBeVisible();
  await expect(account).toHaveValue('reader.9b07de.mp-service-account');
  await expect(saved(page)).toHaveCount(0);

  await account.fill('loader.f5a1c2.mp-service-account');
  await page.getByLabel('Secret', { exact: true }).fill('sandbox-loader-secret');
  await page.getByRole('button', { name: 'Save destination' }).click();
  await expect(saved(page)).toBeVisible({ timeout: 20_000 });
});

test('checking a destination leaves what was typed alone', async ({ page }) => {
  const { person, organizationId, id } = await aDestination(page, 'postgresql');
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('Typed');
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(page.getByText('What was written can be read back: Passed')).toBeVisible();
  await expect(name).toHaveValue('Typed');

  // Somebody else saves meanwhile: theirs is neither overwritten nor does it replace what stands here.
  await renameThing(person, organizationId, 'destinations', id, 'Theirs');
  await page.getByRole('button', { name: 'Save destination' }).click();
  await expect(page.getByText('Somebody else changed this destination meanwhile')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Theirs', level: 1 })).toBeVisible();
  await expect(name).toHaveValue('Typed');
  await expect(page.getByRole('button', { name: 'Save destination' })).toBeDisabled();
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await page.getByRole('button', { name: 'Save destination' }).click();
  await expect(page.getByRole('heading', { name: 'Typed', level: 1 })).toBeVisible();
});

test('with nothing typed, the one check button tries what is saved', async ({ page }) => {
  await aDestination(page, 'postgresql');
  await expect(page.getByRole('button', { name: 'Test now' })).toHaveCount(0);
  const check = page.waitForResponse((answer) => /\/destinations\/[^/]+\/check$/.test(answer.url()));
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  expect((await check).status()).toBe(200);
  await expect(page.getByText('What was written can be read back: Passed')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save destination' })).toBeDisabled();
});

test('a source somebody else saved meanwhile keeps what was typed until it is said which counts', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await open(page, '/addSource');
  await signIn(page, person);
  await connectSource(page, sources[0]!);
  await page.getByRole('link', { name: 'Open source' }).click();
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('Typed');
  const id = /\/source\/([^/]+)\//.exec(page.url())![1]!;
  await renameThing(person, organizationId, 'sources', id, 'Theirs');
  await page.getByRole('button', { name: 'Save source' }).click();
  await expect(page.getByText('Somebody else changed this source meanwhile')).toBeVisible();
  await expect(name).toHaveValue('Typed');
  await page.getByRole('button', { name: 'Use theirs' }).click();
  await expect(name).toHaveValue('Theirs');
});
