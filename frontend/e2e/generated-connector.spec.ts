import { expect, test as base } from '@playwright/test';
import { rmSync } from 'node:fs';
import { startInventedPlatform, VALID_KEY } from '../../backend/test/connectors/invented/invented-platform.ts';
import { buildWithConnector } from '../../tools/connector/build-with-connector.ts';
import { startTestInstance } from '../../tools/start/test-instance.ts';
import { anOrganization, aPerson } from './support/calls.ts';
import { useInstance } from './support/instance.ts';
import { fillInWarehouse, openAs } from './support/steps.ts';

/** Ends a hanging start. */
const START_TIMEOUT_MS = 600_000;

/** An instance whose backend has a connector that `make connector` generated. The web app is the unchanged build. */
const test = base.extend<object, { instanceWithConnector: undefined }>({
  instanceWithConnector: [
    // Playwright reads the required fixtures from this pattern.
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const [platform, build] = [await startInventedPlatform(), await buildWithConnector('acme_ads')];
      const extension = { main: build.main, settings: { ACME_ADS_BASE_URL: platform.url } };
      const { instance, stop } = await startTestInstance({ extension, isSeeded: false });
      useInstance(instance);
      await use(undefined);
      await stop();
      await platform.stop();
      rmSync(build.folder, { recursive: true });
    },
    { scope: 'worker', auto: true, timeout: START_TIMEOUT_MS },
  ],
});

test('a generated connector is connected in the wizard and completes a verified run', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await openAs(page, person, `/${organizationId}/createConnection`);
  await page.getByRole('button', { name: 'Connect Acme Ads' }).click();
  await page.getByLabel('API key').fill('key-of-nobody');
  await page.getByRole('button', { name: 'Check and connect' }).click();
  await expect(page.getByText('Acme Ads does not accept the API key.')).toBeVisible();
  await page.getByLabel('API key').fill(VALID_KEY);
  await page.getByRole('button', { name: 'Check and connect' }).click();
  await page.getByRole('button', { name: /^Continue with 1 account/ }).click();
  await page.getByRole('radio', { name: /New PostgreSQL/ }).check();
  await fillInWarehouse(page);
  await page.getByRole('button', { name: 'Test and continue' }).click();
  await expect(page.getByRole('region', { name: 'Streams' })).toBeVisible();
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByRole('button', { name: 'Create connection' }).click();
  await expect(page.getByText('1 of 1', { exact: true })).toBeVisible();
  await expect(page.getByText('Healthy', { exact: true })).toBeVisible();
});
