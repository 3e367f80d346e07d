import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { overflowOf, SCHEMES, SIZES, violationsOf } from './support/accessibility.ts';
import { anOrganization, aPerson } from './support/calls.ts';
import { open, signIn } from './support/steps.ts';

async function aCustomApp(page: Page): Promise<void> {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await open(page, `/${organizationId}/app/connect`);
  await signIn(page, person);
  await page.getByRole('button', { name: 'Create custom app' }).click();
  await expect(page).toHaveURL(/\/custom-submission$/);
}

/** Saves what events must be, and waits until the server has it. */
async function saveExpectations(page: Page): Promise<void> {
  const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH' && answer.url().endsWith('/push'));
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  expect((await saved).status()).toBe(200);
}

/** Runs the sample call as a shell would: the address, the headers and the body that are shown. */
async function runShownCall(page: Page): Promise<{ status: number; body: unknown }> {
  const curl = await page.getByRole('group', { name: 'Sample request' }).innerText();
  const part = (pattern: RegExp): string => pattern.exec(curl)?.[1] ?? '';
  const answer = await fetch(part(/POST '([^']+)'/), {
    method: 'POST',
    headers: { Authorization: part(/"Authorization: ([^"]+)"/), 'Content-Type': 'application/json' },
    body: part(/-d '([^']+)'/),
  });
  return { status: answer.status, body: await answer.json() };
}

test('an integration is asked for: what is missing is named, the draft stays, and what was submitted cannot be changed', async ({
  page,
}) => {
  await aCustomApp(page);
  await page.getByLabel('System').fill('Till of the shops');
  await page.getByRole('button', { name: 'Submit request' }).click();
  await expect(page.getByText('Enter the URL of the documentation')).toBeVisible();
  await page.getByRole('button', { name: 'Save draft' }).click();
  await expect(page.getByText('Draft saved.')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('System')).toHaveValue('Till of the shops');
  await page.getByLabel('Documentation').fill('https://docs.example.com/api');
  await page.getByLabel('Required data').fill('Sales by day and shop.');
  await page.getByRole('combobox', { name: 'Authentication' }).click();
  await page.getByRole('option', { name: 'API key' }).click();
  await page.getByLabel('Contact').fill('developer@example.com');
  await page.getByRole('button', { name: 'Submit request' }).click();
  const timeline = page.getByRole('region', { name: 'Status' });
  await expect(timeline.getByText('Submitted')).toBeVisible();
  await expect(timeline.getByText(/by owner-.*@example\.com/)).toHaveCount(2);
  await expect(page.getByText('Sales by day and shop.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Submit request' })).toHaveCount(0);
});

test('events are pushed with the shown call and appear by themselves: accepted, then a duplicate, then refused with the reason', async ({
  page,
}) => {
  await aCustomApp(page);
  await page.getByRole('link', { name: 'Push endpoint' }).click();
  const payloads = page.getByRole('region', { name: 'Last 20 payloads' });
  await expect(payloads.getByText('No payloads yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Create key' }).click();
  await expect(page.getByText('Copy the key now')).toBeVisible();
  await page.getByLabel('Deduplication field').fill('orderId');
  await saveExpectations(page);

  expect(await runShownCall(page)).toEqual({ status: 202, body: { accepted: 1, duplicates: 0 } });
  await expect(payloads.getByText('Accepted')).toBeVisible();
  expect(await runShownCall(page)).toEqual({ status: 202, body: { accepted: 0, duplicates: 1 } });
  await expect(payloads.getByText('Duplicate')).toBeVisible();

  await page.getByLabel('Schema').fill('{"type": "object", "properties": {"orderId": {"type": "string", "maxLength": 3}}}');
  await saveExpectations(page);
  expect(await runShownCall(page)).toMatchObject({ status: 422, body: { code: 'push.invalid_event' } });
  await expect(payloads.getByText('orderId must have at most 3 characters')).toBeVisible();

  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Revoke key' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click();
  await expect(page.getByText('No key. Events are rejected until you create one.')).toBeVisible();
});

for (const { name: size, viewport } of SIZES)
  for (const colorScheme of SCHEMES)
    test(`a custom app at ${size} in ${colorScheme} is usable by everybody`, async ({ browser }) => {
      const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' });
      const page = await context.newPage();
      const look = async (what: string) => {
        await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
        expect.soft(await violationsOf(page), what).toEqual([]);
        expect.soft(await overflowOf(page), `${what} scrolls sideways`).toBe(0);
      };
      await aCustomApp(page);
      await page.getByRole('button', { name: 'Submit request' }).click();
      await expect(page.getByText('Enter the URL of the documentation')).toBeVisible();
      await look('the form with what is missing');
      await page.getByRole('link', { name: 'Push endpoint' }).click();
      await page.getByRole('button', { name: 'Create key' }).click();
      await expect(page.getByText('Copy the key now')).toBeVisible();
      await runShownCall(page);
      await expect(page.getByText('Accepted')).toBeVisible();
      await look('the endpoint with a new key and a payload');
      await context.close();
    });
