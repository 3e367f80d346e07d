import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { query } from './support/backfills.ts';
import { aMember, anOrganization, aPerson, renameOrganization, statusOfMembers } from './support/calls.ts';
import { instance } from './support/instance.ts';
import { open, openAs } from './support/steps.ts';

/** A PNG of one pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

async function openSettings(page: Page, tab: string, name = 'Northwind') {
  const owner = await aPerson();
  const organizationId = await anOrganization(owner, name);
  await openAs(page, owner, `/${organizationId}/settings?tab=${tab}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  return { owner, organizationId };
}

test('shows a new name and logo in the sidebar immediately', async ({ page }) => {
  await openSettings(page, 'general');
  await page.getByRole('textbox', { name: 'Name' }).fill('Northwind Traders');
  await page.locator('input[type=file]').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: PICTURE });
  await page.getByRole('button', { name: 'Save settings' }).click();
  await expect(page.getByRole('button', { name: /Northwind Traders/ })).toBeVisible();
  await expect(page.getByRole('button', { name: /Northwind Traders/ }).locator('img')).toHaveAttribute(
    'src',
    /^\/api\/v1\/logos\//,
  );
  const shown = page.getByRole('button', { name: /Northwind Traders/ }).locator('img');
  await expect.poll(() => shown.evaluate((picture: HTMLImageElement) => picture.naturalWidth)).toBe(1);
  await page.getByRole('button', { name: 'Remove the logo' }).click();
  await page.getByRole('button', { name: 'Save settings' }).click();
  await expect(page.getByRole('button', { name: 'Upload a logo' })).toBeVisible();
});

test('creates an organization with an uploaded logo', async ({ page }) => {
  const owner = await aPerson();
  await openAs(page, owner, '/onboarding');
  await page.getByLabel('Company name').fill('Northwind');
  await page.locator('input[type=file]').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: PICTURE });
  await expect(page.getByRole('button', { name: 'Remove the logo' })).toBeVisible();
  await page.getByRole('button', { name: 'Create organization' }).click();
  await page.getByRole('button', { name: /Explore first/ }).click();
  await expect(page.getByRole('button', { name: /Northwind/ }).locator('img')).toHaveAttribute('src', /^\/api\/v1\/logos\//);
});

test('lets a viewer choose the default organization', async ({ page }) => {
  const owner = await aPerson();
  const organizationId = await anOrganization(owner, 'Northwind');
  const viewer = await aMember(owner, organizationId, 'viewer');
  await openAs(page, viewer, `/${organizationId}/settings?tab=general`);
  const choice = page.getByRole('switch', { name: 'My default organization' });
  await expect(choice).not.toBeChecked();
  await choice.click();
  await expect(page.getByText('Northwind is your default organization')).toBeVisible();
  await expect(choice).toBeChecked();
  await page.reload();
  await expect(choice).toBeChecked();
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeDisabled();
});

test('rejects an image of another format with a message', async ({ page }) => {
  await openSettings(page, 'general');
  await page.locator('input[type=file]').setInputFiles({
    name: 'logo.svg',
    mimeType: 'image/svg+xml',
    buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  });
  await expect(page.getByText('Choose a PNG, JPEG or WebP image.')).toBeVisible();
});

test('shows a conflict when two users change the same settings, and keeps the input', async ({ page }) => {
  const { owner, organizationId } = await openSettings(page, 'general');
  await page.getByRole('textbox', { name: 'Name' }).fill('Mine');
  await renameOrganization(owner, organizationId, 'Theirs');
  await page.getByRole('button', { name: 'Save settings' }).click();
  await expect(page.getByText('Someone else saved changes to these settings')).toBeVisible();
  await expect(page.getByText('They changed the name.')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Mine');
  await page.getByRole('button', { name: 'Overwrite with mine' }).click();
  await expect(page.getByRole('button', { name: /Mine/ })).toBeVisible();
});

test('the last owner can neither leave nor change their role, and sees the reason', async ({ page }) => {
  await openSettings(page, 'team');
  await expect(page.getByText('Last owner: make someone else an owner first')).toBeVisible();
  await page.getByRole('button', { name: /^Actions for/ }).click();
  await expect(page.getByRole('menuitem', { name: /Leave organization/ })).toBeDisabled();
});

test('rejects an invitation of a member with the fixed text', async ({ page }) => {
  const { owner } = await openSettings(page, 'team');
  await page.getByRole('textbox', { name: 'Email' }).fill(owner.email);
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await expect(page.getByRole('alert').getByText('Error sending invitation.')).toBeVisible();
});

test('changes a role and removes a member after a confirmation', async ({ page }) => {
  const { owner, organizationId } = await openSettings(page, 'general');
  const member = await aMember(owner, organizationId, 'editor');
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Team' }).click();
  const row = page.getByRole('row').filter({ hasText: member.email });
  await row.getByRole('combobox', { name: /^Role of/ }).click();
  await page.getByRole('option', { name: 'Admin' }).click();
  await expect(page.getByText('is now an admin')).toBeVisible();
  const changes: string[] = [];
  page.on('request', (request) => request.method() === 'PATCH' && changes.push(request.url()));
  await row.getByRole('combobox', { name: /^Role of/ }).click();
  await page.getByRole('option', { name: 'Viewer' }).click();
  await expect(page.getByRole('dialog').getByText(/^Their API keys, .* permanently$/)).toBeVisible();
  expect(changes).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click();
  await expect(page.getByText('is now a viewer')).toBeVisible();
  await row.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Remove member' }).click();
  await expect(page.getByRole('dialog').getByText('What stays')).toBeVisible();
  await page.getByRole('button', { name: 'Remove member' }).click();
  await expect(row).toHaveCount(0);
});

test('disables settings for a viewer with the reason', async ({ page }) => {
  const owner = await aPerson();
  const organizationId = await anOrganization(owner);
  const viewer = await aMember(owner, organizationId, 'viewer');
  await openAs(page, viewer, `/${organizationId}/settings?tab=team`);
  await expect(page.getByRole('button', { name: 'Send invitation' })).toBeDisabled();
  await expect(page.getByText('Requires the Admin role').first()).toBeVisible();
  for (const [tab, words] of [
    ['API keys', 'Only admins can manage API keys'],
    ['Audit log', 'Requires the Admin role to view the audit log'],
    ['Danger', 'Requires the Owner role'],
  ] as const) {
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: tab }).click();
    await expect(page.getByText(words)).toBeVisible();
  }
  await expect(page.getByRole('button', { name: 'Delete organization' })).toBeDisabled();
});

test('shows a new API key once with the variables of the documentation, and revokes it', async ({ page }) => {
  const { organizationId } = await openSettings(page, 'api-keys');
  await page.getByRole('textbox', { name: 'Name' }).fill('Nightly export');
  await page.getByRole('button', { name: 'Create key' }).click();
  const key = await page
    .getByRole('alert')
    .getByText(/trb_\S{20}/)
    .innerText();
  const variables = page.getByRole('region', { name: 'variables' });
  await expect(variables).toContainText(`TRIBUTARY_API_KEY=${key}`);
  await expect(variables).toContainText(`ORGANIZATION_ID=${organizationId}`);
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText(/trb_\S{20}/)).toHaveCount(0);
  await page.getByRole('button', { name: 'Revoke Nightly export' }).click();
  await page.getByRole('button', { name: 'Revoke key' }).click();
  await expect(page.getByText('No API keys yet.')).toBeVisible();
});

test('API keys expire after one year by default, or on the selected day', async ({ page }) => {
  await openSettings(page, 'api-keys');
  await expect(page.getByRole('combobox', { name: 'Expires' })).toHaveValue('In a year');
  await page.getByRole('combobox', { name: 'Expires' }).click();
  await expect(page.getByRole('option', { name: 'Never' })).toHaveCount(0);
  await page.getByRole('option', { name: 'In 30 days' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Nightly export');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Nightly export' })).toContainText('Expires in 30 days');
});

test('groups repeated rejected requests of a user without access into one audit row', async ({ page }) => {
  const otherPerson = await aPerson();
  const { organizationId } = await openSettings(page, 'general');
  for (let call = 0; call < 3; call += 1) expect(await statusOfMembers(otherPerson, organizationId)).toBe(404);
  await open(page, `/${organizationId}/settings?tab=audit&action=access.refused`);
  await expect(page.getByText('Access denied × 3')).toBeVisible();
  await expect(page.getByText(otherPerson.email)).toHaveCount(1);
});

test('shows the audit log, filters it by query and downloads it', async ({ page }) => {
  const { owner, organizationId } = await openSettings(page, 'general');
  await renameOrganization(owner, organizationId, 'Northwind Traders');
  await open(page, `/${organizationId}/settings?tab=audit&action=organization.`);
  await page.getByText('Organization updated').click();
  await expect(page.getByRole('definition').filter({ hasText: /^Northwind\s+Northwind Traders$/ })).toBeVisible();
  await page.getByRole('textbox', { name: 'Who' }).fill('nobody-at-all');
  await page.keyboard.press('Enter');
  await expect(page.getByText('No events match these filters.')).toBeVisible();
  await expect(page).toHaveURL(/actor=nobody-at-all/);
  await page.getByRole('button', { name: 'Clear' }).click();
  const file = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  expect((await file).suggestedFilename()).toMatch(/^audit-\d{4}-\d{2}-\d{2}\.csv$/);
});

test('shows new events when the audit log is opened again', async ({ page }) => {
  const { owner, organizationId } = await openSettings(page, 'audit');
  await expect(page.getByText('Organization created')).toBeVisible();
  const tabs = page.getByRole('navigation', { name: 'Settings' });
  await tabs.getByRole('link', { name: 'Team' }).click();
  await renameOrganization(owner, organizationId, 'Northwind Traders');
  await tabs.getByRole('link', { name: 'Audit log' }).click();
  await expect(page.getByText('Organization updated')).toBeVisible();
});

test('deletes an organization after its name was typed, and restores it', async ({ page }) => {
  const { organizationId } = await openSettings(page, 'danger');
  await page.getByRole('button', { name: 'Delete organization' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('You can restore it until')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Delete organization' })).toBeDisabled();
  await dialog.getByRole('textbox').fill('Northwind');
  await dialog.getByRole('button', { name: 'Delete organization' }).click();
  await expect(page).toHaveURL(/\/onboarding$/);
  await page.getByRole('button', { name: 'Restore Northwind' }).click();
  await expect(page).toHaveURL(new RegExp(`/${organizationId}/connection$`));
});

test('restores an organization from the list of organizations when one other is left', async ({ page }) => {
  const owner = await aPerson();
  const kept = await anOrganization(owner, 'Northwind');
  const deleted = await anOrganization(owner, 'Contoso');
  await openAs(page, owner, `/${deleted}/settings?tab=danger`);
  await page.getByRole('button', { name: 'Delete organization' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('Contoso');
  await dialog.getByRole('button', { name: 'Delete organization' }).click();
  await expect(page).toHaveURL(new RegExp(`/${kept}/connection$`));
  await page.getByRole('button', { name: 'Switch organization' }).click();
  await page.getByRole('menuitem', { name: 'All organizations' }).click();
  await expect(page).toHaveURL(/\/organizations$/);
  await page.getByRole('button', { name: 'Restore Contoso' }).click();
  await expect(page).toHaveURL(new RegExp(`/${deleted}/connection$`));
});

test('the menu and the page of many organizations show the first ones, and the search finds the others', async ({ page }) => {
  const owner = await aPerson();
  const first = await anOrganization(owner, 'Northwind');
  // One person cannot create as many.
  await query(
    instance().databaseUrl,
    `with made as (insert into organizations (id, name, created_by, updated_at)
                   select gen_random_uuid(), 'Agency ' || n, $1, now() from generate_series(1, 102) n returning id)
     insert into members (organization_id, user_id, role) select id, $1, 'owner' from made`,
    [owner.uid],
  );
  await openAs(page, owner, `/${first}/source`);
  await page.getByRole('button', { name: 'Switch organization' }).click();
  await expect(page.getByRole('menuitem', { name: /Northwind|Agency/ })).toHaveCount(20);
  await page.getByRole('menuitem', { name: 'All organizations' }).click();
  const rows = page.getByRole('link', { name: /Northwind|Agency/ });
  await expect(rows).toHaveCount(100);
  await expect(page.getByText('3 more. Search to find them.')).toBeVisible();
  for (const name of ['Northwind', 'Agency 102']) {
    await page.getByRole('textbox', { name: 'Search organizations' }).fill(name);
    await expect(rows).toHaveCount(1);
  }
  await expect(page.getByText('3 more')).toHaveCount(0);
});

test('two tabs show two organizations', async ({ page, context }) => {
  const owner = await aPerson();
  const first = await anOrganization(owner, 'Northwind');
  const second = await anOrganization(owner, 'Contoso');
  await openAs(page, owner, `/${first}/settings`);
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Northwind');
  const other = await context.newPage();
  await open(other, `/${second}/settings`);
  await expect(other.getByRole('textbox', { name: 'Name' })).toHaveValue('Contoso');
  await page.getByRole('textbox', { name: 'Name' }).fill('Northwind Traders');
  await page.getByRole('button', { name: 'Save settings' }).click();
  await expect(page.getByRole('button', { name: /Northwind Traders/ })).toBeVisible();
  await other.reload();
  await expect(other.getByRole('textbox', { name: 'Name' })).toHaveValue('Contoso');
  await expect(other).toHaveURL(new RegExp(second));
});
