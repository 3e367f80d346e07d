import { expect, test } from '@playwright/test';
import { demo } from './support/instance.ts';
import { open, signIn } from './support/steps.ts';

/** Takes the screenshots of the README from a running instance: npm run screenshots -w frontend */
const FOLDER = new URL('../../docs/images/', import.meta.url).pathname;

for (const colorScheme of ['light', 'dark'] as const)
  test(`screenshots in ${colorScheme}`, async ({ browser }) => {
    test.setTimeout(120_000);
    const prefix = colorScheme === 'light' ? '' : `${colorScheme}-`;
    const { email, password, organizationId, connectionId } = demo();
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme, deviceScaleFactor: 2 });
    const page = await context.newPage();
    await open(page, '/login');
    await signIn(page, { email, password });
    await expect(page.getByText('Every row verified')).toBeVisible({ timeout: 60_000 });
    await page.screenshot({ path: `${FOLDER}${prefix}connections.png` });
    await open(page, `/${organizationId}/connection/${connectionId}/configuration`);
    await expect(page.getByText('Verified').first()).toBeVisible();
    await expect(page.locator('svg pattern').first()).toBeAttached();
    await page.screenshot({ path: `${FOLDER}${prefix}connection.png` });
    await open(page, `/${organizationId}/connection/${connectionId}/configuration?tab=coverage`);
    await expect(page.getByText(/account-days/)).toBeVisible();
    await page.screenshot({ path: `${FOLDER}${prefix}coverage.png` });
    await context.close();
  });
