import { randomUUID } from 'node:crypto';
import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import pg from 'pg';
import { expectAccessible, openAt, SIZES } from './support/accessibility.ts';
import { aLoadedConnection, query } from './support/backfills.ts';
import { aMember, anOrganization, aPerson } from './support/calls.ts';
import { instance } from './support/instance.ts';
import { newPrefix } from './support/prefixes.ts';
import { open, openAs } from './support/steps.ts';

/** Alerts of all states. Opening them with real failures takes minutes; reconnect.spec.ts does it once. */
async function addAlerts(organizationId: string): Promise<void> {
  const database = new pg.Client({ connectionString: instance().databaseUrl });
  await database.connect();
  const message = `The request was rejected: ${'a very long explanation '.repeat(12)}${'x'.repeat(120)}`;
  for (const [kind, acknowledged, recovered] of [
    ['connection.failing', false, false],
    ['connection.paused', false, false],
    ['connection.pause_pending', true, false],
    ['connection.failing', true, true],
  ] as const)
    await database.query(
      `insert into alerts (organization_id, id, kind, subject_type, subject_id, failure_class, code, message, action, acknowledged_at, recovered_at)
       values ($1, $2, $3, 'connection', $4, 'permission', 'google_ads.denied', $5, 'Grant access to the account',
               case when $6 then now() end, case when $7 then now() end)`,
      [organizationId, randomUUID(), kind, randomUUID(), message, acknowledged, recovered],
    );
  await database.end();
}

async function chooseRule(page: Page, rule: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Also send alerts to' }).click();
  const option = page.getByRole('option', { name: rule });
  // The list is at the top of the page until it has its place. A click then scrolls there, away from the field, which hides the list.
  await expect(option).toBeInViewport();
  await option.click();
}

for (const size of SIZES) {
  test(`alerts, notifications and webhooks have no WCAG violations or horizontal scrolling at ${size.name}`, async ({
    browser,
  }) => {
    const page = await openAt(browser, size);
    const person = await aPerson();
    const organizationId = await anOrganization(person);
    await openAs(page, person, `/${organizationId}/alert`);
    await expect(page.getByText('No open alerts')).toBeVisible();
    await expectAccessible(page, 'no alerts');
    await addAlerts(organizationId);
    await open(page, `/${organizationId}/alert`);
    await expect(page.getByRole('list', { name: 'Open alerts' }).getByRole('listitem')).toHaveCount(2);
    await expectAccessible(page, 'open alerts');
    await page.screenshot({ path: `../.tmp/alerts-open-${size.name}.png`, fullPage: true });
    await page
      .getByRole('button', { name: /^Acknowledge/ })
      .first()
      .click();
    await expect(page.getByRole('list', { name: 'Open alerts' }).getByRole('listitem')).toHaveCount(1);
    await page.getByRole('link', { name: /^Acknowledged/ }).click();
    await expect(page.getByRole('list', { name: 'Acknowledged alerts' }).getByRole('listitem')).toHaveCount(2);
    await expectAccessible(page, 'acknowledged alerts');

    await open(page, `/${organizationId}/settings?tab=notifications`);
    await chooseRule(page, 'Mail to editors');
    await page.getByRole('button', { name: 'Add rule' }).click();
    const rule = page.getByRole('group', { name: 'Mail to editors' });
    await rule.getByRole('checkbox', { name: /Weekly summary/ }).click();
    await expect(rule.getByRole('checkbox', { name: /Weekly summary/ })).toBeChecked();
    // The bar at the top of a phone covers the boxes under it, which counts as a target that is too small.
    await page.evaluate(() => scrollTo(0, 0));
    await expectAccessible(page, 'notification rules');
    await page.screenshot({ path: `../.tmp/alerts-rules-${size.name}.png`, fullPage: true });

    await open(page, `/${organizationId}/settings?tab=webhooks`);
    await expect(page.getByText('No webhooks yet')).toBeVisible();
    // The tab is beyond the edge of a phone until it is scrolled into view.
    await expect(page.getByRole('link', { name: 'Webhooks' })).toBeInViewport({ ratio: 0.9 });
    await page.getByRole('textbox', { name: 'Name' }).fill('Pager');
    await page.getByRole('textbox', { name: 'URL' }).fill('http://127.0.0.1:1/hook');
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await expect(page.getByText('Enter an https address')).toBeVisible();
    await page.getByRole('textbox', { name: 'URL' }).fill('https://127.0.0.1:1/hook');
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await expect(page.getByText(/^whsec_/)).toBeVisible();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Send test event to Pager' }).click();
    const log = page.getByRole('region', { name: 'Deliveries of Pager' });
    await expect(async () => {
      await log.getByRole('button', { name: 'Refresh' }).click();
      await expect(log.getByText('The receiver refused the connection.')).toBeVisible({ timeout: 3_000 });
    }).toPass();
    await expectAccessible(page, 'webhooks');
    await page.screenshot({ path: `../.tmp/alerts-webhooks-${size.name}.png`, fullPage: true });
    await page.close();
  });
}

test('a new Slack webhook is announced, and the form is ready for another one', async ({ page }) => {
  const owner = await aPerson();
  const organizationId = await anOrganization(owner);
  await openAs(page, owner, `/${organizationId}/settings?tab=webhooks`);
  await page.getByRole('combobox', { name: 'Kind' }).click();
  await page.getByRole('option', { name: 'Slack' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Marketing');
  await page.getByRole('textbox', { name: 'Incoming webhook URL' }).fill('https://127.0.0.1:1/hook');
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await expect(page.getByText('Marketing created', { exact: true })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Webhooks' }).getByText('Marketing')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Create webhook' })).toBeEnabled();
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('');
});

test('a deleted rule is confirmed and can be added again, and a webhook without a rule says so', async ({ page }) => {
  const owner = await aPerson();
  const organizationId = await anOrganization(owner);
  await openAs(page, owner, `/${organizationId}/settings?tab=webhooks`);
  await page.getByRole('textbox', { name: 'Name' }).fill('Pager');
  await page.getByRole('textbox', { name: 'URL' }).fill('https://127.0.0.1:1/hook');
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  const pager = page.getByRole('list', { name: 'Webhooks' }).getByRole('listitem');
  await expect(pager.getByText('Enabled', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Notifications', exact: true }).click();

  const headings = page.getByRole('list', { name: 'Notification rules' }).getByRole('heading');
  await expect(headings).toHaveText(['In the app', 'Mail to owners and admins', 'Webhook Pager']);
  for (const [rule, stops] of [
    ['In the app', 'The number of open alerts in the menu, for all members'],
    ['Webhook Pager', 'Notifications to Pager'],
  ] as const) {
    await page.getByRole('button', { name: `Delete ${rule}` }).click();
    const dialog = page.getByRole('dialog', { name: `Delete the rule “${rule}”?` });
    await expect(dialog.getByText(stops)).toBeVisible();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(headings.filter({ hasText: rule })).toHaveCount(1);
    await page.getByRole('button', { name: `Delete ${rule}` }).click();
    await dialog.getByRole('button', { name: 'Delete rule' }).click();
    await expect(headings.filter({ hasText: rule })).toHaveCount(0);
  }
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await expect(pager.getByText('Receives nothing: no rule')).toBeVisible();
  await pager.getByRole('link', { name: 'Notifications' }).click();

  for (const rule of ['In the app', 'Webhook Pager']) {
    await chooseRule(page, rule);
    await page.getByRole('button', { name: 'Add rule' }).click();
    await expect(headings.filter({ hasText: rule })).toHaveCount(1);
    // A second click would add another rule.
    await expect(page.getByRole('button', { name: 'Add rule' })).toBeDisabled();
    await page.getByRole('combobox', { name: 'Also send alerts to' }).click();
    await expect(page.getByRole('option', { name: 'Mail to editors' })).toBeVisible();
    await expect(page.getByRole('option', { name: rule })).toHaveCount(0);
    await page.keyboard.press('Escape');
  }
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await expect(pager.getByText('Enabled', { exact: true })).toBeVisible();
});

test('a deleted webhook is restored with its rule, and a deleted rule alone, with Undo', async ({ page }) => {
  const owner = await aPerson();
  const organizationId = await anOrganization(owner);
  await openAs(page, owner, `/${organizationId}/settings?tab=webhooks`);
  await page.getByRole('textbox', { name: 'Name' }).fill('Pager');
  await page.getByRole('textbox', { name: 'URL' }).fill('https://127.0.0.1:1/hook');
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  const pager = page.getByRole('list', { name: 'Webhooks' }).getByRole('listitem');
  const undo = page.getByRole('button', { name: 'Undo' });
  await page.getByRole('button', { name: 'Delete Pager' }).click();
  await expect(page.getByRole('dialog')).toContainText(/You can restore it until \w{3} \d+/);
  await page.getByRole('button', { name: 'Delete webhook' }).click();
  await expect(pager).toHaveCount(0);
  await undo.click();
  await expect(page.getByText('Pager restored')).toBeVisible();
  await expect(pager.getByText('Enabled', { exact: true })).toBeVisible();
  await expect(undo).toHaveCount(0);

  await page.getByRole('link', { name: 'Notifications', exact: true }).click();
  const headings = page.getByRole('list', { name: 'Notification rules' }).getByRole('heading');
  const all = ['In the app', 'Mail to owners and admins', 'Webhook Pager'];
  await expect(headings).toHaveText(all);
  await page.getByRole('button', { name: 'Delete Mail to owners and admins' }).click();
  await expect(page.getByRole('dialog')).toContainText(/You can restore it until \w{3} \d+/);
  await page.getByRole('button', { name: 'Delete rule' }).click();
  await expect(headings).toHaveText(['In the app', 'Webhook Pager']);
  await undo.click();
  await expect(page.getByText('Rule “Mail to owners and admins” restored')).toBeVisible();
  await expect(headings).toHaveText(all);
});

test('shows an editor the rules and not the webhooks', async ({ page }) => {
  const owner = await aPerson();
  const organizationId = await anOrganization(owner);
  const editor = await aMember(owner, organizationId, 'editor');
  await openAs(page, editor, `/${organizationId}/settings?tab=notifications`);
  await expect(page.getByRole('checkbox').first()).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Add rule' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await expect(page.getByText('Only admins can manage webhooks')).toBeVisible();
});

test('alerts and backfills beyond the first page can be shown', async ({ page }) => {
  const connection = await aLoadedConnection(page, newPrefix('older'));
  const [organizationId, connectionId] = [connection.page.split('/')[1], connection.url.split('/').at(-1)];
  const { databaseUrl } = instance();
  await query(
    databaseUrl,
    `insert into alerts (organization_id, id, kind, subject_type, subject_id, failure_class, code, message, action)
     select $1, gen_random_uuid(), 'connection.failing', 'connection', gen_random_uuid(), 'permission', 'google_ads.denied', 'Denied', 'Grant access'
       from generate_series(1, 101)`,
    [organizationId],
  );
  await open(page, `/${organizationId}/alert`);
  const alerts = page.getByRole('list', { name: 'Open alerts' }).getByRole('listitem');
  await expect(alerts).toHaveCount(100);
  await page.getByRole('button', { name: 'Show older alerts' }).click();
  await expect(alerts).toHaveCount(101);
  await expect(page.getByRole('button', { name: 'Show older alerts' })).toHaveCount(0);
  await alerts.first().getByRole('button', { name: 'Acknowledge' }).click();
  await expect(alerts).toHaveCount(100);

  // The oldest one is paused, behind 50 that have ended, and so is a re-sync.
  await query(
    databaseUrl,
    `insert into backfills (organization_id, id, connection_id, state, mode, streams, account_ids, requested_from, day_from, day_to,
                            chunk_days, estimate, paused_reason, actor, ended_at)
     select $1, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $2,
            case when n = 1 then 'paused' else 'completed' end::backfill_state,
            case when n = 1 then 'resync' else 'replace' end::backfill_mode,
            array['campaign_daily'], array[$3], current_date - 40, current_date - 40, current_date - 30,
            31, '{"accountDays": 11, "apiCalls": 1, "rows": 11, "minutes": 1}', case when n = 1 then 'user' end, 'test',
            case when n > 1 then now() end
       from generate_series(1, 51) as n`,
    [organizationId, connectionId, connection.account.externalId],
  );
  await open(page, `${connection.page}?tab=backfills`);
  const paused = page.getByText('Paused', { exact: true });
  await expect(page.getByRole('button', { name: 'Show older backfills' })).toBeVisible();
  await expect(paused).toHaveCount(0);
  for (const { name, viewport } of SIZES) {
    await page.setViewportSize(viewport);
    await page.screenshot({ path: test.info().outputPath(`backfills-${name}.png`), fullPage: true });
  }
  await page.getByRole('button', { name: 'Show older backfills' }).click();
  await expect(paused).toHaveCount(1);

  await open(page, `${connection.page}?tab=data`);
  await expect(page.getByText('Paused', { exact: true })).toBeVisible();
});
