import { expect, test } from '@playwright/test';
import { anOrganization, aPerson } from './support/calls.ts';
import { aSource } from './support/connections.ts';
import { sources } from './support/pairs.ts';
import { newPrefix } from './support/prefixes.ts';
import { createConnectionWithMissedDays, createWarehouse } from './support/resources.ts';
import { open, startSignedIn } from './support/steps.ts';

test('lists the affected connections of an app that needs reauthentication only after they are loaded', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await startSignedIn(page, person);
  const source = await aSource(person, organizationId, sources[1]!);
  const destinationId = await createWarehouse(person, organizationId, newPrefix('affected'));
  await createConnectionWithMissedDays(person, organizationId, {
    sourceId: source.id,
    destinationId,
    streams: ['campaign_daily'],
  });

  const isConnectionsOfApp = (url: URL) => url.pathname.endsWith('/connections') && url.searchParams.has('appId');
  await page.route(isConnectionsOfApp, (route) => route.abort());
  await open(page, `/${organizationId}/app/${source.appId}`);
  const affected = page.getByRole('region', { name: 'Affected connections' });
  await expect(affected.getByText('Couldn’t load the connections of this app')).toBeVisible();
  await expect(page.getByText('No connections affected')).toHaveCount(0);
  await open(page, `/metaReauth?app=${source.appId}`);
  await expect(affected.getByText('Couldn’t load the connections of this app')).toBeVisible();
  await expect(page.getByText('No connections affected')).toHaveCount(0);

  await page.unroute(isConnectionsOfApp);
  await affected.getByRole('button', { name: 'Try again' }).click();
  await expect(affected.getByText('1 connection, 20 days')).toBeVisible();
  await expect(affected.getByRole('link', { name: 'Search' })).toBeVisible();
  await open(page, `/${organizationId}/app/${source.appId}`);
  const uses = page.getByRole('region', { name: 'Used by' });
  await expect(uses.getByText('1 source, 1 connection')).toBeVisible();
  await uses.getByRole('link', { name: sources[1]!.accountName }).click();
  await page.getByRole('link', { name: 'Reconnect with Meta' }).click();
  await expect(page.getByText('What happens when you reconnect')).toBeVisible();
});
