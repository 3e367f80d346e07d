import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { query } from './support/backfills.ts';
import { anOrganization, aPerson, deleteAll, endSignIns, namesOf } from './support/calls.ts';
import { instance, warehouse } from './support/instance.ts';
import { connectSource, destinations, sources } from './support/pairs.ts';
import { demo } from './support/instance.ts';
import { newPrefix } from './support/prefixes.ts';
import { fillInWarehouse, open, openAs } from './support/steps.ts';

const [google] = sources;
const [, , mixpanel] = destinations;
const PHONE = { width: 360, height: 780 };

async function beginWizard(page: Page) {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await openAs(page, person, `/${organizationId}/createConnection`);
  await connectSource(page, google!);
  await expect(page.getByRole('radio', { name: /New PostgreSQL/ })).toBeVisible();
  return { person, organizationId };
}

async function toConfigure(page: Page) {
  const created = await beginWizard(page);
  await page.getByRole('radio', { name: /New PostgreSQL/ }).check();
  await fillInWarehouse(page);
  await page.getByRole('button', { name: 'Test and continue' }).click();
  await expect(page.getByRole('region', { name: 'Streams' })).toBeVisible();
  return created;
}

const selectedStreams = (page: Page) => page.getByRole('region', { name: 'Streams' }).getByRole('checkbox', { checked: true });

test('continues with Enter on the selected source and destination', async ({ page }) => {
  await openAs(page, demo(), `/${demo().organizationId}/createConnection`);
  const step = async (name: string) => {
    const selected = page.getByRole('radiogroup', { name }).getByRole('radio').first();
    await selected.check();
    await selected.press('Enter');
  };
  await step('Source');
  await step('Destination');
  await expect(page.getByRole('region', { name: 'Streams' })).toBeVisible();
});

test('saves changed source settings with Continue, and disables Continue while they are invalid', async ({ page }) => {
  const { person, organizationId } = await beginWizard(page);
  await open(page, '/SourceSettings');
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill(' ');
  await expect(page.getByText('Enter a name')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save and continue' })).toBeDisabled();
  await name.fill('Spring campaigns');
  await page.getByRole('button', { name: 'Save and continue' }).click();
  await expect(page.getByRole('region', { name: 'Destination' })).toBeVisible();
  expect(await namesOf(person, organizationId, 'sources')).toEqual(['Spring campaigns']);
});

test('continues without saving when the source settings are unchanged', async ({ page }) => {
  await beginWizard(page);
  await open(page, '/SourceSettings');
  await page.getByRole('button', { name: 'Destination', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Destination' })).toBeVisible();
});

test('shows the rows a month of the selected streams', async ({ page }) => {
  await toConfigure(page);
  const rowOf = (stream: string) => page.getByRole('region', { name: 'Streams' }).getByRole('row').filter({ hasText: stream });
  const unified = rowOf('ad_performance_daily');
  await expect(unified.getByRole('cell', { name: /^[\d,.]+( M)?$/ })).toBeVisible();
  await unified.getByRole('checkbox').uncheck();
  await expect(unified.getByRole('cell', { name: '—' })).toBeVisible();
});

test('rejects an invalid start date at its field', async ({ page }) => {
  await toConfigure(page);
  const day = page.getByRole('textbox', { name: 'Start date' });
  const review = page.getByRole('button', { name: 'Review' });
  for (const wrong of ['2090-01-01', '1999-12-31', '']) {
    await day.fill(wrong);
    await expect(page.getByRole('alert').filter({ hasText: /Enter a date from .* to yesterday/ })).toBeVisible();
    await expect(review).toBeDisabled();
  }
  await page.getByRole('region', { name: 'Start date' }).getByText('30 days', { exact: true }).click();
  await review.click();
  await expect(page.getByRole('heading', { name: 'First rows' })).toBeVisible();
});

test('does not create a connection with rejected settings and returns to the step to change them', async ({ page }) => {
  const { person, organizationId } = await toConfigure(page);
  await deleteAll(person, organizationId, 'destinations');
  await page.getByRole('button', { name: 'Review' }).click();
  await expect(page.getByText('Couldn’t estimate usage')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Create connection' })).toBeDisabled();
  await page.getByRole('button', { name: 'Back to Configure' }).click();
  await page.reload();
  await page.getByRole('button', { name: 'Select another destination' }).click();
  await expect(page.getByRole('button', { name: 'Configure' })).toBeDisabled();
});

test('names what to do when an app needs new credentials at the review', async ({ page }) => {
  const { organizationId } = await toConfigure(page);
  await endSignIns(organizationId);
  await page.getByRole('button', { name: 'Review' }).click();
  const notice = page.getByRole('alert').filter({ hasText: 'Couldn’t estimate usage' });
  await expect(notice).toContainText('The password of the connected user changed. Update the credentials.');
});

test('checks again on request, and whenever the review is opened', async ({ page }) => {
  await beginWizard(page);
  const schema = newPrefix('checked').replace(/_$/, '');
  await query(instance().warehouseUrl, `create schema ${schema}`);
  const allow = () => query(instance().warehouseUrl, `grant all on schema ${schema} to current_user`);
  const deny = () => query(instance().warehouseUrl, `revoke all on schema ${schema} from current_user`);
  await page.getByRole('radio', { name: /New PostgreSQL/ }).check();
  await fillInWarehouse(page);
  await page.getByRole('textbox', { name: 'Schema' }).fill(schema);
  await page.getByRole('button', { name: 'Test and continue' }).click();
  await expect(page.getByRole('region', { name: 'Streams' })).toBeVisible();

  const create = page.getByRole('button', { name: 'Create connection' });
  const failed = page.getByRole('listitem').filter({ hasText: ': Failed' });
  const checkAgain = page.getByRole('button', { name: 'Check again' });
  await deny();
  await page.getByRole('button', { name: 'Review' }).click();
  await expect(failed).not.toHaveCount(0);
  await expect(create).toBeDisabled();
  await allow();
  await checkAgain.click();
  await expect(create).toBeEnabled();
  await expect(failed).toHaveCount(0);

  await deny();
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByRole('region', { name: 'Streams' })).toBeVisible();
  await page.getByRole('button', { name: 'Review' }).click();
  await expect(failed).not.toHaveCount(0);
  await expect(create).toBeDisabled();
});

test('keeps a typed name but resets the streams when the destination changes to Mixpanel', async ({ page }) => {
  await toConfigure(page);
  await expect(page.getByRole('textbox', { name: 'Name' })).not.toHaveValue('');
  expect(await selectedStreams(page).count()).toBeGreaterThan(1);
  await page.getByRole('textbox', { name: 'Name' }).fill('Mine');
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('radio', { name: /New Mixpanel/ }).check();
  await mixpanel!.fillIn(page, google!);
  await page.getByRole('button', { name: 'Test and continue' }).click();
  await expect(page.getByText(/Each row becomes an event/)).toBeVisible();
  await expect(selectedStreams(page)).toHaveCount(1);
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Mine');
});

test('resumes, discards and restores a draft, also on a phone', async ({ page }) => {
  const { organizationId } = await beginWizard(page);
  await page.setViewportSize(PHONE);
  await open(page, `/${organizationId}/createConnection`);
  await expect(page.getByText(/Unfinished draft from/)).toBeVisible();
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(page.getByRole('region', { name: 'Destination' })).toBeVisible();
  await page.getByRole('button', { name: 'Start over' }).click();
  await expect(page.getByRole('radio', { name: /Northwind/, checked: true })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Start over' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('region', { name: 'Destination' })).toBeVisible();
  await page.getByRole('link', { name: 'Source, done' }).click();
  await expect(page.getByRole('radio', { name: /Northwind/, checked: true })).toBeVisible();
});

test('only Next changes the step: a choice stays on its step, and Back returns to it', async ({ page }) => {
  const { email, password, organizationId } = demo();
  await openAs(page, { email, password }, `/${organizationId}/connection`);
  await page.getByRole('link', { name: 'Create connection' }).click();
  await expect(page).toHaveURL(/step=source$/);
  await page.getByRole('radiogroup', { name: 'Source' }).getByRole('radio').first().check();
  await page.keyboard.press('ArrowDown');
  await expect(page).toHaveURL(/step=source$/);
  await expect(page.getByRole('radiogroup', { name: 'Source' })).toBeVisible();
  await page.keyboard.press('ArrowUp');
  await page.getByRole('button', { name: 'Destination' }).click();
  await page.getByRole('radiogroup', { name: 'Destination' }).getByRole('radio').first().check();
  await expect(page).toHaveURL(/step=destination$/);
  await expect(page.getByRole('radiogroup', { name: 'Destination' })).toBeVisible();
  await page.getByRole('button', { name: 'Configure' }).click();
  await expect(page.getByRole('region', { name: 'Streams' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('radiogroup', { name: 'Destination' })).toBeVisible();
  await page.goForward();
  await page.getByRole('button', { name: 'Review' }).click();
  await expect(page.getByText('Another connection writes these tables')).toBeVisible();
  await expect(page.getByText(/already writes the same accounts into the same tables?/)).toBeVisible();
});

test('excludes optional fields, validates a cron schedule, and changes both later', async ({ page }) => {
  await toConfigure(page);
  const fields = page.getByRole('button', { name: '17 of 17 fields of campaign_daily' });
  await fields.click();
  await expect(page.getByRole('checkbox', { name: 'campaign_id of campaign_daily' })).toBeDisabled();
  await expect(page.getByText('Required: primary key').first()).toBeVisible();
  await page.getByRole('checkbox', { name: 'campaign_name of campaign_daily', exact: true }).uncheck();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: '16 of 17 fields of campaign_daily' })).toBeVisible();

  await page.getByRole('region', { name: 'Schedule' }).getByText('Cron', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Cron expression' }).fill('*/5 * * * *');
  await expect(page.getByRole('alert').filter({ hasText: 'Leave at least 15 minutes between runs' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Review' })).toBeDisabled();
  await page.getByRole('textbox', { name: 'Cron expression' }).fill('30 6 * * 1-5');
  await page.getByRole('combobox', { name: 'Time zone' }).fill('Tokyo');
  await page.getByRole('option', { name: 'Asia/Tokyo' }).click();
  await expect(page.getByText(/Next runs: .*06:30.*Asia\/Tokyo/)).toBeVisible();

  await page.getByRole('button', { name: 'Review' }).click();
  await expect(page.getByText('All but 1', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Create connection' }).click();
  await expect(page).toHaveURL(/\/connection\/[^/]+\/configuration/);
  await open(page, `${new URL(page.url()).pathname}?tab=settings`);
  await expect(page.getByRole('textbox', { name: 'Cron expression' })).toHaveValue('30 6 * * 1-5');
  await page.getByRole('button', { name: '16 of 17 fields of campaign_daily' }).click();
  await page.getByRole('button', { name: 'All fields' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Save settings' }).click();
  await expect(page.getByText('Settings saved')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('button', { name: '17 of 17 fields of campaign_daily' })).toBeVisible();
});

test('keeps the form of a new destination in the draft, except secrets, and says so', async ({ page }) => {
  const { organizationId } = await beginWizard(page);
  await page.getByRole('radio', { name: /New PostgreSQL/ }).check();
  await fillInWarehouse(page);
  await page.getByRole('textbox', { name: 'Table prefix' }).fill('draft_');
  await expect(page.getByText(/Draft saved at .*, without passwords and keys/)).toBeVisible();
  const stored = await page.evaluate((key) => localStorage.getItem(key), `draft:connection:${organizationId}`);
  expect(stored).toContain('draft_');
  expect(stored).not.toContain(warehouse().password);

  await page.reload();
  await expect(page.getByRole('radio', { name: /New PostgreSQL/ })).toBeChecked();
  const { host, port, user } = warehouse();
  await expect(page.getByRole('textbox', { name: 'Host' })).toHaveValue(host);
  await expect(page.getByRole('textbox', { name: 'Port' })).toHaveValue(port);
  await expect(page.getByRole('textbox', { name: 'User' })).toHaveValue(user);
  await expect(page.getByRole('textbox', { name: 'Table prefix' })).toHaveValue('draft_');
  const password = page.getByLabel('Password', { exact: true });
  await expect(password).toHaveValue('');
  await password.fill(warehouse().password);
  await page.getByRole('button', { name: 'Test and continue' }).click();
  await expect(page.getByRole('region', { name: 'Streams' })).toBeVisible();
});
