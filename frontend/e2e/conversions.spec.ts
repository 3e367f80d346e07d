import { expect, test } from '@playwright/test';
import { anOrganization, aPerson, aMember } from './support/calls.ts';
import {
  aConversion,
  anOrder,
  aPushApp,
  connectGoogle,
  fillInConversion,
  googleApp,
  OWNER_ACCOUNT,
} from './support/conversions.ts';
import { newPrefix } from './support/prefixes.ts';
import { createWarehouse } from './support/resources.ts';
import { allowAccess, open, openAs } from './support/steps.ts';

test('creates a conversion from pushed orders, and Google Ads accepts the eligible one', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  const app = await aPushApp(person, organizationId);
  await app.push([anOrder('n-1'), anOrder('n-2', { consent: 'denied' })]);
  await openAs(page, person, `/${organizationId}/conversion`);
  await expect(page.getByText('No conversions yet')).toBeVisible();
  await connectGoogle(page);
  await expect(page.getByRole('heading', { name: 'Choose ad accounts' })).toBeVisible();
  await open(page, `/${organizationId}/conversion`);
  await page.getByRole('link', { name: 'Create conversion' }).click();
  await fillInConversion(page, app);

  const figures = page.getByRole('region', { name: 'Figures' });
  await expect(figures.getByText('1 of 2')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Why events are not eligible' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Request', exact: true })).not.toContainText('shopper3@example.com');
  await page.getByRole('button', { name: 'Validate with the platform' }).click();
  await expect(page.getByText('1 of 1 event accepted')).toBeVisible();
  await page.getByRole('button', { name: 'Activate' }).click();
  await page.getByRole('radio', { name: 'Also earlier events' }).check();
  await page.getByRole('textbox', { name: 'Name' }).fill('Orders to Google');
  await page.getByRole('button', { name: 'Activate conversion' }).click();

  await expect(page.getByRole('heading', { name: 'Orders to Google' })).toBeVisible();
  await page.getByRole('link', { name: 'Events' }).click();
  await expect(page.getByRole('row', { name: /n-1/ })).toContainText('Accepted');
  await expect(page.getByRole('row', { name: /n-2/ })).toContainText('Not eligible');
});

test('checks again what can receive events, and previews newer ones', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  const app = await aPushApp(person, organizationId);
  await app.push([anOrder('n-1'), anOrder('n-2', { consent: 'denied' })]);
  await openAs(page, person, `/${organizationId}/conversion`);
  await connectGoogle(page);
  await expect(page.getByRole('heading', { name: 'Choose ad accounts' })).toBeVisible();
  await open(page, `/${organizationId}/createConversion`);
  const checkAgain = page.getByRole('button', { name: 'Check again' });
  await fillInConversion(page, app, async (step) => {
    if (step !== 'destination') return;
    const answered = page.waitForResponse(/\/conversion-setup\/targets$/);
    await checkAgain.click();
    await answered;
  });
  const figures = page.getByRole('region', { name: 'Figures' });
  await expect(figures.getByText('1 of 2')).toBeVisible();
  await app.push([anOrder('n-3')]);
  await checkAgain.click();
  await expect(figures.getByText('2 of 3')).toBeVisible();
});

test('keeps account and action of an app that was picked on another page after Back and a reload', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  const app = await aPushApp(person, organizationId);
  await app.push([anOrder('n-1')]);
  await openAs(page, person, `/${organizationId}/conversion`);
  await connectGoogle(page);
  await expect(page.getByRole('heading', { name: 'Choose ad accounts' })).toBeVisible();
  const google = await googleApp(person, organizationId);
  await open(page, `/${organizationId}/createConversion`);
  await page.getByRole('radio', { name: new RegExp(app.name) }).check();
  await expect(page.getByRole('button', { name: 'Destination' })).toBeEnabled();

  await open(page, `/${organizationId}/createConversion?destination=${google}`);
  const account = page.getByRole('combobox', { name: 'Account' });
  await account.click();
  await page.getByRole('option', { name: new RegExp(OWNER_ACCOUNT) }).click();
  await page.getByRole('radiogroup', { name: 'Destination action' }).locator('input:enabled').first().check();
  await page.getByRole('button', { name: 'Identifiers' }).click();
  await expect(page.getByRole('combobox', { name: 'Deduplication key' })).toBeVisible();
  await page.goBack();
  await expect(account).toHaveValue(new RegExp(OWNER_ACCOUNT));
  await page.reload();
  await page.getByRole('link', { name: 'Destination, done' }).click();
  await expect(account).toHaveValue(new RegExp(OWNER_ACCOUNT));
});

test('sends events to Meta under the name that the user enters', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  const app = await aPushApp(person, organizationId);
  await app.push([anOrder('m-1')]);
  await openAs(page, person, '/addConversionDestination');
  await page.getByRole('button', { name: 'Connect Meta Ads' }).click();
  await allowAccess(page, undefined, 'Facebook');
  await expect(page.getByRole('heading', { name: 'Choose ad accounts' })).toBeVisible();
  await open(page, `/${organizationId}/createConversion`);
  await page.getByRole('radio', { name: new RegExp(app.name) }).check();
  await expect(page.getByRole('region', { name: 'Newest records', exact: true }).getByText('m-1').first()).toBeVisible();
  await page.getByRole('button', { name: 'Destination' }).click();
  await page.getByRole('radiogroup', { name: 'Ad platform' }).getByRole('radio').first().check();
  await page.getByRole('combobox', { name: 'Account' }).click();
  await page.getByRole('option').first().click();
  await page.getByRole('radiogroup', { name: 'Destination action' }).locator('input:enabled').first().check();
  const eventName = page.getByRole('combobox', { name: 'Event name' });
  await expect(eventName).toHaveValue('Purchase');
  await eventName.fill('');
  await expect(page.getByText('Enter an event name').first()).toBeVisible();
  await eventName.fill('Lead');
  await page.getByRole('button', { name: 'Identifiers' }).click();
  await page.getByRole('button', { name: 'Consent' }).click();
  await page.getByRole('button', { name: 'Preview' }).click();
  await expect(page.getByText('"event_name": "Lead"').first()).toBeAttached();
});

test('finds an order with its request and the answer of the network', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  const app = await aPushApp(person, organizationId);
  await app.push([anOrder('n-48213')]);
  await openAs(page, person, `/${organizationId}/conversion`);
  await connectGoogle(page);
  await expect(page.getByRole('heading', { name: 'Choose ad accounts' })).toBeVisible();
  await aConversion(person, { app, organizationId, name: 'Orders' });
  await open(page, `/${organizationId}/conversion`);

  const search = page.getByRole('searchbox', { name: 'Find an order' });
  await search.fill('unknown');
  await search.press('Enter');
  await expect(page.getByText('No event with this ID')).toBeVisible();
  await page.getByRole('link', { name: 'All conversions' }).click();
  await search.fill('n-48213');
  await search.press('Enter');
  const life = page.getByRole('list', { name: 'Life of the event' });
  await expect(life.getByText('Accepted', { exact: true })).toBeVisible();
  for (const step of ['Received', 'Eligible', 'Sent']) await expect(life.getByText(step, { exact: true })).toBeVisible();
  await expect(life.getByText(/request/).first()).toBeVisible();
  await expect(page.getByRole('region', { name: 'Payload of n-48213' })).not.toContainText('shopper3@example.com');
  await page.getByRole('link', { name: 'Open in its conversion' }).click();
  await expect(page.getByRole('dialog', { name: 'Event n-48213' })).toBeVisible();
});

test('sends to another conversion action that is chosen in the settings', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  const app = await aPushApp(person, organizationId);
  await openAs(page, person, `/${organizationId}/conversion`);
  await connectGoogle(page);
  await expect(page.getByRole('heading', { name: 'Choose ad accounts' })).toBeVisible();
  const id = await aConversion(person, { app, organizationId, name: 'Orders' });
  await open(page, `/${organizationId}/conversion/${id}/configuration?tab=settings`);
  await page.getByRole('button', { name: 'Choose another' }).click();
  const action = page.getByRole('combobox', { name: 'Destination action' });
  const before = await action.inputValue();
  await action.click();
  const other = page.locator('[role=option]:not([data-combobox-disabled]):not([aria-selected=true])').first();
  const name = await other.innerText();
  await other.click();
  await page.getByRole('button', { name: 'Save settings' }).click();
  await expect(page.getByText('Settings saved')).toBeVisible();
  await page.reload();
  await page.getByRole('button', { name: 'Choose another' }).click();
  await expect(action).toHaveValue(name);
  expect(name).not.toBe(before);
});

test('reads the source with another query that is entered in the settings', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  const app = await aPushApp(person, organizationId);
  await openAs(page, person, `/${organizationId}/conversion`);
  await connectGoogle(page);
  await expect(page.getByRole('heading', { name: 'Choose ad accounts' })).toBeVisible();
  const destinationId = await createWarehouse(person, organizationId, newPrefix('query'));
  const queryOf = (orderId: string) =>
    `select '${orderId}' as "orderId", now() - interval '1 day' as "createdAt", 10 as total, 'EUR' as currency,
            'shopper3@example.com' as "customer.email", 'granted' as consent`;
  const source = { destinationId, settings: { query: queryOf('q-1'), timeField: 'createdAt', overlapHours: 24 } };
  const id = await aConversion(person, { app, source, organizationId, name: 'Orders' });
  const at = `/${organizationId}/conversion/${id}/configuration`;
  await open(page, `${at}?tab=events`);
  await expect(page.getByRole('row', { name: /q-1/ })).toBeVisible();

  await open(page, `${at}?tab=settings`);
  const query = page.getByRole('textbox', { name: 'Query' });
  await expect(query).toHaveValue(/q-1/);
  await query.fill('');
  await expect(page.getByText('Enter a query').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save settings' })).toBeDisabled();
  await query.fill(queryOf('q-2'));
  await page.getByRole('button', { name: 'Save settings' }).click();
  await expect(page.getByText('Settings saved')).toBeVisible();
  await page.getByRole('button', { name: 'Run now' }).click();
  await open(page, `${at}?tab=events`);
  await expect(page.getByRole('row', { name: /q-2/ })).toBeVisible();
  await expect(page.getByRole('row', { name: /q-1/ })).toBeVisible();
});

test('sends a test of a conversion, shows the answer for each event, and adds none to the ledger', async ({ page, browser }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  const app = await aPushApp(person, organizationId);
  await openAs(page, person, `/${organizationId}/conversion`);
  await connectGoogle(page);
  await expect(page.getByRole('heading', { name: 'Choose ad accounts' })).toBeVisible();
  const id = await aConversion(person, { app, organizationId, name: 'Orders' });
  const at = `/${organizationId}/conversion/${id}/configuration`;
  await open(page, at);
  await page.getByRole('switch', { name: 'Orders is on' }).click({ force: true });
  await expect(page.getByText('Paused').first()).toBeVisible();
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Send a test' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send a test' });
  await expect(dialog.getByText('The source has no event yet. Send an event to the source first.')).toBeVisible();
  await app.push([anOrder('n-1'), anOrder('n-2', { consent: 'denied' })]);
  await dialog.getByRole('button', { name: 'Send again' }).click();
  await expect(dialog.getByText('1 of 1 event accepted')).toBeVisible();
  await expect(dialog.getByRole('row', { name: /n-1/ })).toContainText('Accepted');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await open(page, `${at}?tab=events`);
  await expect(page.getByText('No events yet. The next run reads them.')).toBeVisible();

  const viewer = await aMember(person, organizationId, 'viewer');
  const other = await browser.newPage();
  await openAs(other, viewer, at);
  await other.getByRole('button', { name: 'More' }).click();
  await expect(other.getByRole('menuitem', { name: 'Send a test' })).toBeDisabled();
  await expect(other.getByRole('menu').getByText('Requires the Editor role')).toBeVisible();
  await other.close();
});

test('names the required role to a viewer', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  const viewer = await aMember(person, organizationId, 'viewer');
  await openAs(page, viewer, `/${organizationId}/conversion`);
  await expect(page.getByRole('button', { name: 'Create conversion' })).toBeDisabled();
  await expect(page.getByText('Requires the Editor role')).toBeVisible();
  await open(page, `/${organizationId}/createConversion`);
  await expect(
    page.getByText('Your role can view conversions, but not create them. Ask Owner to change your role.'),
  ).toBeVisible();
});
