import { mkdirSync, writeFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import type { Browser, Locator, Page } from '@playwright/test';
import { SCHEMES, show } from './support/accessibility.ts';
import { anOrganization, aPerson } from './support/calls.ts';
import { demo } from './support/instance.ts';
import { toWebp } from './support/pictures.ts';
import { test } from './support/portfolio.ts';
import { newPrefix } from './support/prefixes.ts';
import { createConnection, fillInWarehouse, open, signIn } from './support/steps.ts';

/** Takes the pictures of the documentation from the demo: npm run pictures -w frontend */
const FOLDER = new URL('../../docs/images/', import.meta.url).pathname;

/** Converting a picture takes seconds on a busy machine. */
const TIMEOUT_MS = 600_000;

const SIZES = [
  { name: '1440', viewport: { width: 1440, height: 900 }, firstScheme: 'light' as const },
  { name: '390', viewport: { width: 390, height: 844 }, firstScheme: 'light' as const },
];
type Size = (typeof SIZES)[number];

interface Camera {
  page: Page;
  /** Waits for the text, and takes the screen in both color schemes. */
  take: (name: string, ready: Locator | string | RegExp) => Promise<void>;
}

async function openCamera(browser: Browser, size: Size): Promise<Camera> {
  const context = await browser.newContext({ viewport: size.viewport, colorScheme: 'light', reducedMotion: 'reduce' });
  const page = await context.newPage();
  const take: Camera['take'] = async (name, ready) => {
    const shown = typeof ready === 'string' || ready instanceof RegExp ? page.getByText(ready).first() : ready;
    await expect(shown).toBeVisible({ timeout: 20_000 });
    await expect(page.locator('[aria-busy=true], [class*=bone]')).toHaveCount(0);
    await expect(page.getByText(/^Showing data from/)).toHaveCount(0);
    for (const scheme of SCHEMES) {
      await show(page, size, scheme);
      const picture = await toWebp(browser, await page.screenshot());
      writeFileSync(`${FOLDER}${name}-${scheme}-${size.name}.webp`, picture);
    }
    await show(page, size, 'light');
  };
  return { page, take };
}

async function connectionId(page: Page, name: string): Promise<string> {
  const link = page.locator('a', { hasText: name }).first();
  return /connection\/([^/]+)\//.exec((await link.getAttribute('href'))!)![1]!;
}

for (const size of SIZES) {
  test(`pictures of signed-out screens at ${size.name}`, async ({ browser }) => {
    test.setTimeout(TIMEOUT_MS);
    mkdirSync(FOLDER, { recursive: true });
    const { page, take } = await openCamera(browser, size);
    await open(page, '/login');
    await take('login', page.getByRole('button', { name: 'Use demo account' }));
    await page.evaluate(() => {
      window.open = () => null;
    });
    await page.getByRole('button', { name: /Google/ }).click();
    await take('login-blocked', page.getByRole('alert').first());
    await open(page, '/signUp');
    await page.getByLabel('Full name').fill('Demo');
    await page.getByLabel('Email').fill(demo().email);
    await page.getByLabel('Password', { exact: true }).fill('three small rivers');
    await page.getByRole('button', { name: 'Create account' }).click();
    await take('signup-error', page.getByRole('alert').first());
    await page.context().close();
  });

  test(`pictures of a new organization at ${size.name}`, async ({ browser }) => {
    test.setTimeout(TIMEOUT_MS);
    const owner = await aPerson();
    const organizationId = await anOrganization(owner, 'Bluefin Coffee');
    const { page, take } = await openCamera(browser, size);
    await open(page, `/${organizationId}/connection`);
    await signIn(page, owner);
    await take('connections-empty', 'No connections yet');
    await page.getByRole('link', { name: 'Try with sample data' }).click();
    await createConnection(page, { prefix: newPrefix('first'), name: 'Search to warehouse' });
    // The first run has ended, and its proof has replaced the accounts that it would compare.
    await expect(page.getByText('Healthy', { exact: true })).toBeVisible();
    await take('first-verified', page.getByRole('region', { name: 'Verification' }).getByText('Match').first());
    await page.context().close();
  });

  test(`pictures of connections at ${size.name}`, async ({ browser }) => {
    test.setTimeout(TIMEOUT_MS);
    const { email, password, organizationId } = demo();
    const { page, take } = await openCamera(browser, size);
    const list = `/${organizationId}/connection`;
    await open(page, list);
    await signIn(page, { email, password });
    // The days of the freshness are loaded after the list. Cards of a phone do not show them.
    const shown = size.name === '390' ? page.locator('a', { hasText: 'Google Ads to warehouse' }).first() : /Yesterday complete/;
    await take('connections', shown);
    const healthy = await connectionId(page, 'Google Ads to warehouse');
    const failing = await connectionId(page, 'Google Ads to finance');
    const at = (id: string, query = '') => open(page, `${list}/${id}/configuration${query}`);

    await page.route(/\/connections\?/, (route) => route.fulfill({ status: 503, json: {} }));
    await open(page, list);
    await take('connections-error', page.getByRole('button', { name: /Try again|Retry/ }).first());
    await page.unroute(/\/connections\?/);

    await at(healthy);
    await expect(page.locator('svg pattern').first()).toBeAttached();
    await take('connection-overview', 'Latest runs');
    await at(failing);
    await expect(page.locator('svg pattern').first()).toBeAttached();
    await take('connection-lost-rows', /rows missing in PostgreSQL/);
    await at(failing, '?tab=coverage');
    await take('connection-coverage', /account-days/);
    await at(healthy, '?tab=runs');
    await take('connection-runs', 'Times in');
    await page
      .getByRole('link', { name: /ago|:\d\d/ })
      .first()
      .click();
    await take('run-drawer', page.getByRole('dialog').getByRole('heading', { name: 'Verification' }));
    await at(healthy, '?tab=data');
    await take('connection-data', page.getByRole('heading', { level: 2 }).first());
    await at(healthy);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Delete connection' }).click();
    await take('confirm-delete', page.getByRole('dialog'));
    await page.keyboard.press('Escape');
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('combobox').fill('meta');
    await take('palette', page.getByRole('option').first());
    await page.keyboard.press('Escape');
    await page.getByRole('main').click({ position: { x: 5, y: 5 } });
    await page.keyboard.press('?');
    await take('shortcuts', page.getByRole('dialog', { name: 'Keyboard shortcuts' }));
    await page.context().close();
  });

  test(`pictures of apps and settings at ${size.name}`, async ({ browser }) => {
    test.setTimeout(TIMEOUT_MS);
    const { email, password, organizationId } = demo();
    const { page, take } = await openCamera(browser, size);
    await open(page, `/${organizationId}/app`);
    await signIn(page, { email, password });
    await take('apps', 'Retail Meta Ads');
    await page.getByRole('link', { name: 'Retail Meta Ads' }).first().click();
    await take('app-reauth', page.getByRole('link', { name: /Retail to warehouse/ }).first());
    await open(page, `/${organizationId}/alert`);
    await take('alerts', page.getByRole('heading', { level: 1 }));
    await open(page, `/${organizationId}/settings?tab=team`);
    await take('settings-team', '(you)');
    await open(page, `/${organizationId}/conections`);
    await take('error-404', 'Page not found');
    await page.context().close();
  });

  test(`pictures of the wizard at ${size.name}`, async ({ browser }) => {
    test.setTimeout(TIMEOUT_MS);
    const { email, password, organizationId } = demo();
    const { page, take } = await openCamera(browser, size);
    await open(page, `/${organizationId}/createConnection`);
    await signIn(page, { email, password });
    await take('wizard-source', 'Or a new source');
    await page
      .getByRole('radio', { name: /All ad accounts/ })
      .first()
      .check();
    await page.getByRole('button', { name: 'Destination' }).click();
    await page.getByRole('radio', { name: /New PostgreSQL/ }).check();
    await fillInWarehouse(page);
    await page.getByRole('textbox', { name: 'Table prefix' }).fill(`pictures${size.name}_`);
    await page.getByRole('button', { name: 'Test and continue' }).click();
    await take('wizard-configure', page.getByRole('region', { name: 'Streams' }));
    await page.getByRole('button', { name: 'Review' }).click();
    await take('wizard-review', page.getByRole('heading', { name: 'First rows' }));
    await page.context().close();
  });
}
