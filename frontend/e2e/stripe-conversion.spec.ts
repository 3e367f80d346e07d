import { expect, test } from '@playwright/test';
import { violationsOf } from './support/accessibility.ts';
import { anOrganization, aPerson, post } from './support/calls.ts';
import { instance } from './support/instance.ts';
import { aShop } from './support/payments.ts';
import { openAs } from './support/steps.ts';

test('the wizard of a conversion asks for Stripe’s events and customer ID in the words of a payment', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  const shop = await aShop('Conversions', []);
  const app = { provider: 'stripe', credentials: { apiKey: shop.key } };
  await post(`${instance().url}/api/v1/organizations/${organizationId}/apps`, app, person.token);
  await openAs(page, person, `/${organizationId}/createConversion`);
  await page.getByRole('radio', { name: /Stripe/ }).check();

  await expect(page.getByRole('checkbox', { name: 'Payment received' })).toBeChecked();
  const customer = page.getByRole('radiogroup', { name: 'Customer ID' });
  await expect(customer.getByRole('radio', { name: 'Email' })).toBeChecked();
  await customer.getByRole('radio', { name: 'Metadata' }).check();
  const load = page.getByRole('button', { name: 'Load sample' });
  await expect(load).toBeDisabled();
  await expect(page.getByText('Enter a key of at most 40 characters, without spaces and brackets').first()).toBeVisible();
  await customer.getByRole('textbox', { name: 'Metadata key' }).fill('crm_id');
  await expect(load).toBeEnabled();
  expect(await violationsOf(page)).toEqual([]);

  await page.getByRole('checkbox', { name: 'Trial started' }).check();
  await load.click();
  // The server accepts the settings: the account has no events.
  await expect(page.getByText('No events yet. Send one to the source, then load the sample again.')).toBeVisible();
});
