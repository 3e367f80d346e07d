import { expect, test } from '@playwright/test';
import pg from 'pg';
import { aMember, anOrganization, aPerson } from './support/calls.ts';
import { instance } from './support/instance.ts';
import {
  addEndpoint,
  aPayment,
  aShop,
  aWarehouse,
  bookedBy,
  connectStripe,
  runSteps,
  SHOP_STEPS,
  untilLoaded,
  utcDaysAgo,
} from './support/payments.ts';
import { newPrefix } from './support/prefixes.ts';
import { open, openAs } from './support/steps.ts';

interface LoadedRow {
  event: string;
  event_id: string;
  amount_minor: string;
  original_event_id: string | null;
}

const FAILURE = {
  ...{ class: 'destination', code: 'postgresql.table_gone', message: 'The table was dropped.', providerRequestId: null },
  action: 'Create the table again',
};

async function rowsIn(table: string): Promise<LoadedRow[]> {
  const client = new pg.Client({ connectionString: instance().warehouseUrl });
  await client.connect();
  try {
    return (await client.query<LoadedRow>(`select * from ${table} order by occurred_at, event_id`)).rows;
  } finally {
    await client.end();
  }
}

test('loads a payment from its key to the table', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  const shop = await aShop('Lantern Books', SHOP_STEPS);
  const prefix = newPrefix('paid');
  await aWarehouse(person, organizationId, prefix);
  await openAs(page, person, `/${organizationId}/payment`);
  await expect(page.getByText('No payments yet')).toBeVisible();

  // A key of no account is rejected with its reason, and the input stays.
  await open(page, `/${organizationId}/app/connect`);
  await connectStripe(page, 'rk_test_of_no_account');
  await expect(page.getByRole('alert')).toContainText('Stripe does not know the restricted key');
  await page.getByRole('dialog').getByLabel('Restricted key').fill(shop.key);
  await page.getByRole('button', { name: 'Check and connect' }).click();

  await expect(page.getByRole('heading', { name: 'Create payment' })).toBeVisible();
  await expect(page.getByRole('radio', { name: /Lantern Books/ })).toBeChecked();
  const create = page.getByRole('button', { name: 'Create payment' });
  await expect(create).toBeDisabled();
  await page.getByRole('textbox', { name: 'Name' }).fill('Book sales');
  await page.getByRole('checkbox', { name: /Warehouse/ }).check();
  await page.getByRole('radio', { name: 'Email' }).check();
  await page.getByRole('region', { name: 'Start date' }).locator('input').fill(utcDaysAgo(10));
  await create.click();

  await expect(page.getByRole('heading', { name: 'Book sales' })).toBeVisible();
  const destinations = page.getByRole('region', { name: 'Destinations' });
  await expect(destinations.getByText('Verified', { exact: true })).toBeVisible();
  const figures = page.getByRole('region', { name: 'Figures' });
  // 123.45 + 30.50 − 23.45 + two seats of 120 a year, which were charged at the start.
  await expect(figures.getByText('€370.50')).toBeVisible();
  await expect(figures.getByText('€20.00')).toBeVisible();

  await page.getByRole('link', { name: 'Webhook', exact: true }).click();
  await expect(page.getByText('No secret entered, every call is rejected')).toBeVisible();
  const url = await page.getByText(/\/webhooks\/payments\//).innerText();
  await page
    .getByRole('region', { name: 'Signing secret' })
    .locator('input')
    .fill(await addEndpoint(shop, url));
  await page.getByRole('button', { name: 'Save secret' }).click();
  await expect(page.getByText('No signed call since the secret was entered')).toBeVisible();
  await runSteps(shop, [{ type: 'payment', amount: 4_200, email: 'late@shop.example' }]);
  await expect
    .poll(async () => (await rowsIn(`${prefix}payment_events`)).filter(({ amount_minor }) => amount_minor === '4200').length)
    .toBe(1);
  await page.reload();
  await expect(page.getByText('Signed calls arrive')).toBeVisible();

  const rows = await rowsIn(`${prefix}payment_events`);
  const moved = rows.filter(({ amount_minor }) => amount_minor !== '0');
  const booked = await bookedBy(shop);
  expect(moved.map(({ event_id, amount_minor }) => `${event_id} ${amount_minor}`).toSorted()).toEqual(
    booked.map(({ id, amount }) => `${id} ${amount}`).toSorted(),
  );
  const refund = rows.find(({ event }) => event === 'payment_refunded');
  const sale = rows.find(({ amount_minor }) => amount_minor === '12345');
  expect(refund?.original_event_id).toBe(sale?.event_id);

  await page.getByRole('link', { name: 'Events', exact: true }).click();
  await page.getByRole('button', { name: 'Load sample' }).click();
  const sample = page.getByRole('region', { name: 'Newest loaded events' }).last();
  await expect(sample.getByRole('row', { name: /Payment refunded/ })).toContainText('−€23.45');
  await expect(sample).not.toContainText('shop.example');

  await page.getByRole('link', { name: 'Recurring revenue' }).click();
  await expect(page.getByRole('row', { name: /EUR/ })).toContainText('€20.00');
  await expect(page.getByRole('row', { name: 'In a trial 1' })).toBeVisible();
  await expect(page.getByText('Version 1')).toBeVisible();
});

test('shows the end of a run whose first response arrives late', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  const shop = await aShop('Lantern Books', SHOP_STEPS);
  const id = await aPayment(person, { organizationId, shop, prefix: newPrefix('paid') });
  let responses = 0;
  await page.route(/\/runs\/[^/]+$/, async (route) => {
    const response = await route.fetch();
    responses += 1;
    if (responses > 1) return route.fulfill({ response });
    await untilLoaded(person, organizationId, id);
    const run = (await response.json()) as object;
    return route.fulfill({ response, json: { ...run, state: 'running', endedAt: null } });
  });
  await openAs(page, person, `/${organizationId}/payment/${id}/configuration`);
  const destinations = page.getByRole('region', { name: 'Destinations' });
  await expect(destinations.getByText('Verified', { exact: true })).toBeVisible();
});

test('shows a missing webhook with its action', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  const shop = await aShop('Lantern Books', SHOP_STEPS);
  const id = await aPayment(person, { organizationId, shop, prefix: newPrefix('paid') });
  await untilLoaded(person, organizationId, id);
  // The product compares with Stripe's list every 15 minutes. This is what it then stores.
  const database = new pg.Client({ connectionString: instance().databaseUrl });
  await database.connect();
  await database.query(
    `update payments set webhook_missing_since = now(), webhooks_missing = 3, webhooks_checked_at = now() where id = $1`,
    [id],
  );
  await database.end();
  await openAs(page, person, `/${organizationId}/payment`);
  await expect(page.getByRole('row', { name: /Shop revenue/ })).toContainText('Webhook missing');
  await page.getByRole('link', { name: 'Shop revenue' }).click();
  const notice = page.getByRole('group', { name: 'Stripe has 3 events that no webhook delivered' });
  await expect(notice).toContainText('Create the webhook endpoint in Stripe and enter its signing secret');
  await notice.getByRole('link', { name: 'Set up the webhook' }).click();
  await expect(page.getByRole('button', { name: 'Save secret' })).toBeVisible();
});

test('shows a destination that was paused automatically, and resumes it', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  const shop = await aShop('Lantern Books', SHOP_STEPS);
  const id = await aPayment(person, { organizationId, shop, prefix: newPrefix('paid') });
  await untilLoaded(person, organizationId, id);
  // What the product stores after 30 failed runs in a row.
  const database = new pg.Client({ connectionString: instance().databaseUrl });
  await database.connect();
  await database.query(
    `update connections set desired = 'paused', paused_at = now(), paused_reason = 'failures', paused_failure = $2
      where payment_id = $1`,
    [id, FAILURE],
  );
  await database.end();
  await openAs(page, person, `/${organizationId}/payment/${id}/configuration`);
  const notice = page.getByRole('group', { name: 'Paused after too many failed runs' });
  await expect(notice).toContainText('The table was dropped. Create the table again');
  await expect(page.getByRole('button', { name: 'Run now' })).toBeDisabled();
  await notice.getByRole('button', { name: 'Resume' }).click();
  await expect(notice).toBeHidden();
  await expect(page.getByRole('region', { name: 'Destinations' }).getByText('Healthy', { exact: true })).toBeVisible();
});

test('pauses, reloads, deletes and restores a payment', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  const shop = await aShop('Lantern Books', SHOP_STEPS);
  const id = await aPayment(person, { organizationId, shop, prefix: newPrefix('paid') });
  await untilLoaded(person, organizationId, id);
  await openAs(page, person, `/${organizationId}/payment/${id}/configuration?tab=settings`);
  await page.getByRole('button', { name: 'Reload days' }).click();
  await expect(page.getByText('Reload started')).toBeVisible();
  await page.getByRole('radio', { name: 'Net' }).check();
  await expect(page.getByText('All days are loaded again.')).toBeVisible();
  await page.getByRole('button', { name: 'Save settings' }).click();
  await expect(page.getByText('Settings saved')).toBeVisible();
  const toggle = page.getByRole('region', { name: 'Pause' }).getByRole('switch', { name: 'Shop revenue is on' });
  await toggle.click({ force: true });
  await expect(page.getByRole('button', { name: 'Run now' })).toBeDisabled();
  await page.getByRole('button', { name: 'Delete payment' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete Shop revenue?' });
  await expect(dialog).toContainText('payment_events of Warehouse');
  await dialog.getByRole('button', { name: 'Delete payment' }).click();
  await expect(page.getByText('No payments yet')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('row', { name: /Shop revenue/ })).toContainText('Paused');
});

test('a viewer sees disabled controls with the reason', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  const shop = await aShop('Lantern Books', SHOP_STEPS);
  const id = await aPayment(person, { organizationId, shop, prefix: newPrefix('paid') });
  const viewer = await aMember(person, organizationId, 'viewer');
  await openAs(page, viewer, `/${organizationId}/payment`);
  await expect(page.getByRole('button', { name: 'Create payment' })).toBeDisabled();
  await expect(page.getByText('Requires the Editor role')).toBeVisible();
  await open(page, `/${organizationId}/payment/new/configuration`);
  await expect(page.getByText('Your role can view payments, but not create them. Ask Owner to change your role.')).toBeVisible();
  const at = `/${organizationId}/payment/${id}/configuration`;
  await open(page, at);
  await expect(page.getByRole('button', { name: 'Run now' })).toBeDisabled();
  await open(page, `${at}?tab=settings`);
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Save settings' })).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Reload days' })).toBeDisabled();
  await open(page, `${at}?tab=webhook`);
  await expect(page.getByRole('region', { name: 'Signing secret' }).locator('input')).toBeDisabled();
  await expect(page.getByText('Requires the Admin role')).toBeVisible();
  await open(page, `${at}?tab=events`);
  await expect(page.getByRole('button', { name: 'Load sample' })).toBeDisabled();
});

test('the demo’s key connects an account, and its payments can feed a conversion', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await openAs(page, person, `/${organizationId}/payment/new/configuration`);
  await page.getByRole('button', { name: 'Use this demo’s key' }).click();
  await page.getByRole('button', { name: 'Connect Stripe' }).click();
  await expect(page.getByRole('radio', { name: /Northwind Europe/ })).toBeChecked();

  await open(page, '/addConversionSource');
  await page.getByRole('link', { name: 'Select Northwind Europe' }).click();
  await expect(page.getByRole('radio', { name: /Northwind Europe/ })).toBeChecked();
  await page.getByRole('button', { name: 'Load sample' }).click();
  const records = page.getByRole('region', { name: 'Newest records', exact: true });
  await expect(records.getByText('charged_currency').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Destination' })).toBeEnabled();
});
