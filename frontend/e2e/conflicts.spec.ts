import { expect, test } from '@playwright/test';
import { aLoadedConnection } from './support/backfills.ts';
import { anOrganization, aPerson, post } from './support/calls.ts';
import { instance } from './support/instance.ts';
import { newPrefix } from './support/prefixes.ts';
import { get } from './support/resources.ts';
import { open, openAs } from './support/steps.ts';

/** A change of another user is never overwritten without a decision, and does not block the next change. */

test('hashed fields that another user saved during an edit are a conflict', async ({ page, context }) => {
  const { person, url, page: path } = await aLoadedConnection(page, newPrefix('hashed'));
  const hash = (field: string, at = page) => at.getByRole('checkbox', { name: `Hash ${field} of campaign_daily` });
  const edit = async (at = page) => {
    await open(at, `${path}?tab=data`);
    await at.getByRole('button', { name: 'Show fields of campaign_daily' }).click();
  };
  await edit();
  await hash('campaign_status').check();
  const other = await context.newPage();
  await edit(other);
  await hash('campaign_name', other).check();
  await other.getByRole('button', { name: 'Save hashed fields' }).click();
  await expect(other.getByText('Hashed fields saved')).toBeVisible();

  await expect(page.getByText('Someone else saved changes to this connection')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save hashed fields' })).toBeDisabled();
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await page.getByRole('button', { name: 'Use theirs' }).click();
  await expect(hash('campaign_name')).toBeChecked();
  await expect(hash('campaign_status')).not.toBeChecked();
  await hash('campaign_status').check();
  await page.getByRole('button', { name: 'Save hashed fields' }).click();
  await expect(page.getByText('Hashed fields saved')).toBeVisible();
  interface Schema {
    streams: { fields: { name: string; isHashed: boolean }[] }[];
  }
  const { streams } = await get<Schema>(person, `${url}/schema`);
  const hashed = streams.flatMap(({ fields }) => fields).filter(({ isHashed }) => isHashed);
  expect(hashed.map(({ name }) => name)).toEqual(['campaign_name', 'campaign_status']);
});

test('a notification rule that another user changed can be changed with the second try', async ({ page, context }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  const path = `/${organizationId}/settings?tab=notifications`;
  await openAs(page, person, path);
  const enabled = (at = page) => at.getByRole('switch', { name: 'In the app: enabled' });
  await expect(enabled()).toBeChecked();
  const other = await context.newPage();
  await open(other, path);
  await enabled(other).click({ force: true });
  await expect(enabled(other)).not.toBeChecked();
  await enabled().click({ force: true });
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(enabled()).not.toBeChecked();
  await enabled().click({ force: true });
  await expect(enabled()).toBeChecked();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a webhook that another user changed can be changed with the second try', async ({ page, context }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  const body = { kind: 'signed', name: 'Pager', url: 'https://8.8.8.8/hook' };
  await post(`${instance().url}/api/v1/organizations/${organizationId}/webhook-endpoints`, body, person.token);
  const path = `/${organizationId}/settings?tab=webhooks`;
  await openAs(page, person, path);
  const button = (name: string, at = page) => at.getByRole('button', { name: `${name} Pager` });
  await expect(button('Disable')).toBeVisible();
  const other = await context.newPage();
  await open(other, path);
  await button('Disable', other).click();
  await expect(button('Enable', other)).toBeVisible();
  await button('Disable').click();
  await expect(page.getByRole('alert')).toBeVisible();
  await button('Enable').click();
  await expect(button('Disable')).toBeVisible();
});
