import { expect, test } from '@playwright/test';
import { violationsOf } from './support/accessibility.ts';
import { demo } from './support/instance.ts';
import { open, signIn } from './support/steps.ts';

test('the documentation opens from the sidebar, and its pages link to each other', async ({ page, context }) => {
  await open(page, '/login');
  await signIn(page, demo());
  const opened = context.waitForEvent('page');
  await page.getByRole('link', { name: 'Docs', exact: true }).click();
  const docs = await opened;
  await expect(docs.getByRole('heading', { level: 1 })).toBeVisible();
  await docs
    .getByRole('navigation', { name: 'Documentation' })
    .getByRole('link', { name: /own database/ })
    .click();
  await expect(docs).toHaveURL(/\/docs\/reporting-database$/);
  await docs.getByRole('link', { name: 'Writing reports on the tables' }).first().click();
  await expect(docs).toHaveURL(/\/docs\/reporting$/);
});

for (const scheme of ['light', 'dark'] as const)
  test(`the documentation has no WCAG violations in ${scheme} mode, without signing in`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    for (const path of ['/docs/', '/docs/reporting-database', '/docs/connectors']) {
      await open(page, path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      expect(await violationsOf(page)).toEqual([]);
    }
  });
