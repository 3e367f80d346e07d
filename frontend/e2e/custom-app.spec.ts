import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { overflowOf, SCHEMES, SIZES, violationsOf } from './support/accessibility.ts';
import { anOrganization, aPerson } from './support/calls.ts';
import { fillInWarehouse, open, openAs } from './support/steps.ts';

async function createCustomApp(page: Page): Promise<string> {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await openAs(page, person, `/${organizationId}/app/connect`);
  await page.getByRole('button', { name: 'Create custom app' }).click();
  await expect(page).toHaveURL(/\/custom-submission$/);
  return organizationId;
}

/** Saves the event settings and waits for the response. */
async function saveExpectations(page: Page): Promise<void> {
  const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH' && answer.url().endsWith('/push'));
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  expect((await saved).status()).toBe(200);
}

/** Sends the sample call as shown: URL, headers and body. */
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

test('names missing fields, saves the draft of an integration request, and locks it after submission', async ({ page }) => {
  await createCustomApp(page);
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

test('shows pushed events live: accepted, duplicate, and rejected with the reason', async ({ page }) => {
  await createCustomApp(page);
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

  await page
    .getByRole('textbox', { name: 'Schema' })
    .fill('{"type": "object", "properties": {"orderId": {"type": "string", "maxLength": 3}}}');
  await saveExpectations(page);
  expect(await runShownCall(page)).toMatchObject({ status: 422, body: { code: 'push.invalid_event' } });
  await expect(payloads.getByText('orderId must have at most 3 characters')).toBeVisible();

  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Revoke key' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click();
  await expect(page.getByText('No key. Events are rejected until you create one.')).toBeVisible();
});

test('a double click creates one key, and the page says what uses the events', async ({ page }) => {
  const organizationId = await createCustomApp(page);
  await page.getByRole('link', { name: 'Push endpoint' }).click();
  const answer = Promise.withResolvers<null>();
  let calls = 0;
  await page.route(/\/push\/rotate-key/, async (route) => {
    calls += 1;
    await answer.promise;
    await route.continue();
  });
  const create = page.getByRole('button', { name: 'Create key' });
  await create.click();
  await expect.poll(() => calls).toBe(1);
  await create.click({ force: true });
  answer.resolve(null);
  await expect(page.getByText('Copy the key now')).toBeVisible();
  expect(calls).toBe(1);

  const use = page.getByRole('region', { name: 'Processing' });
  await expect(use).not.toContainText('does not send');
  await expect(use.getByRole('link', { name: 'connection' })).toHaveAttribute('href', `/${organizationId}/createConnection`);
  await expect(use.getByRole('link', { name: 'conversion' })).toHaveAttribute('href', `/${organizationId}/createConversion`);
  for (const { name, viewport } of SIZES) {
    await page.setViewportSize(viewport);
    await page.screenshot({ path: test.info().outputPath(`push-${name}.png`), fullPage: true });
  }
});

for (const { name: size, viewport } of SIZES)
  for (const colorScheme of SCHEMES)
    test(`custom app pages have no WCAG violations at ${size} in ${colorScheme}`, async ({ browser }) => {
      const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' });
      const page = await context.newPage();
      const check = async (what: string) => {
        await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
        expect.soft(await violationsOf(page), what).toEqual([]);
        expect.soft(await overflowOf(page), `${what} scrolls horizontally`).toBe(0);
      };
      await createCustomApp(page);
      await page.getByRole('button', { name: 'Submit request' }).click();
      await expect(page.getByText('Enter the URL of the documentation')).toBeVisible();
      await check('form with missing fields');
      await page.getByRole('link', { name: 'Push endpoint' }).click();
      await page.getByRole('button', { name: 'Create key' }).click();
      await expect(page.getByText('Copy the key now')).toBeVisible();
      await runShownCall(page);
      await expect(page.getByText('Accepted')).toBeVisible();
      await check('push endpoint with a new key and a payload');
      await context.close();
    });

test('loads pushed events into a table, from the wizard to a verified run', async ({ page }) => {
  const organizationId = await createCustomApp(page);
  await page.getByRole('link', { name: 'Push endpoint' }).click();
  await page.getByRole('button', { name: 'Create key' }).click();
  await expect(page.getByText('Copy the key now')).toBeVisible();
  expect(await runShownCall(page)).toMatchObject({ status: 202, body: { accepted: 1 } });

  await open(page, `/${organizationId}/createConnection`);
  await page.getByRole('button', { name: 'Use events of Custom app' }).click();
  await page.getByRole('radio', { name: /New PostgreSQL/ }).check();
  await fillInWarehouse(page);
  await page.getByRole('button', { name: 'Test and continue' }).click();
  await expect(page.getByRole('region', { name: 'Streams' })).toBeVisible();
  await page.getByRole('textbox', { name: 'Name' }).fill('Events to warehouse');
  await page.getByRole('button', { name: 'Review' }).click();
  await expect(page.getByRole('heading', { name: 'First rows' })).toBeVisible();
  await page.getByRole('button', { name: 'Create connection' }).click();
  await expect(page.getByRole('heading', { name: 'Events to warehouse' })).toBeVisible();
  await expect(page.getByText('Healthy', { exact: true })).toBeVisible();
  // Pushed events have no currency, so no cost is shown.
  await expect(page.getByRole('region', { name: 'Rows per day' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Verification' })).toContainText('Match');
  await expect(page.getByRole('main')).not.toContainText(/XXX|¤/);

  await open(page, '/addSource');
  await expect(page.getByRole('link', { name: 'Select Custom app' })).toBeVisible();
  await open(page, `/${organizationId}/source`);
  await page.getByRole('link', { name: 'Custom app', exact: true }).click();
  await expect(page).toHaveURL(/\/custom\/configuration$/);
  await expect(page.getByText('custom_events')).toBeVisible();
});
