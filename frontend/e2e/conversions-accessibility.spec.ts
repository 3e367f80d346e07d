import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { expectAccessible, openAt, SIZES } from './support/accessibility.ts';
import { anOrganization, aPerson } from './support/calls.ts';
import { aConversion, anOrder, aPushApp, connectGoogle, fillInConversion } from './support/conversions.ts';
import { open, openAs } from './support/steps.ts';

/** A conversion with an accepted order and two that are not eligible. */
async function prepare(page: Page) {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  const app = await aPushApp(person, organizationId);
  await app.push([anOrder('a-1'), anOrder('a-2', { consent: 'denied' }), anOrder('a-3', { total: 'twelve' })]);
  await openAs(page, person, `/${organizationId}/conversion`);
  await expect(page.getByText('No conversions yet')).toBeVisible();
  await expectAccessible(page, 'no conversions');
  await connectGoogle(page);
  await expect(page.getByRole('heading', { name: 'Choose ad accounts' })).toBeVisible();
  return { person, organizationId, app };
}

for (const size of SIZES) {
  test(`pages of conversions have no WCAG violations or horizontal scrolling at ${size.name}`, async ({ browser }) => {
    const page = await openAt(browser, size);
    const { person, organizationId, app } = await prepare(page);
    const id = await aConversion(person, { app, organizationId, name: 'Orders' });
    const at = `/${organizationId}/conversion/${id}/configuration`;
    await open(page, `${at}?tab=events`);
    await expect(page.getByText('Accepted', { exact: true }).first()).toBeAttached();
    const screens: [path: string, ready: string][] = [
      [`/${organizationId}/conversion`, 'Orders'],
      [`/${organizationId}/conversion?order=a-1`, 'What was sent'],
      [`/${organizationId}/conversion?order=unknown`, 'No event with this ID'],
      [at, 'Why events were not counted'],
      [`${at}?tab=events`, 'a-2'],
      [`${at}?tab=mapping`, 'Load fields'],
      [`${at}?tab=consent`, 'Default country'],
      [`${at}?tab=runs`, 'Succeeded'],
      [`${at}?tab=settings`, 'Save settings'],
      ['/addConversionSource', 'Don’t have access?'],
      ['/addConversionDestination', 'Don’t have access?'],
    ];
    for (const [path, ready] of screens) {
      await open(page, path);
      await expect(page.getByText(ready).first()).toBeAttached();
      await expectAccessible(page, path.replace(organizationId, ''));
    }
    await open(page, `${at}?tab=events`);
    await page.getByRole('link', { name: 'a-1' }).click();
    await expect(page.getByRole('dialog', { name: 'Event a-1' })).toBeVisible();
    await expectAccessible(page, 'event');
    await page.context().close();
  });

  test(`wizard of conversions has no WCAG violations or horizontal scrolling at ${size.name}`, async ({ browser }) => {
    const page = await openAt(browser, size);
    const { organizationId, app } = await prepare(page);
    await open(page, `/${organizationId}/createConversion`);
    await fillInConversion(page, app, (step) => expectAccessible(page, step));
    await expect(page.getByRole('region', { name: 'Exact request' })).toBeVisible();
    await expectAccessible(page, 'preview');
    await page.getByRole('button', { name: 'Activate' }).click();
    await page.getByRole('radio', { name: 'Also earlier events' }).check();
    await expectAccessible(page, 'activate');
    await page.context().close();
  });
}
