import AxeBuilder from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { demo } from './support/instance.ts';
import { open, signIn } from './support/steps.ts';

const SIZES = [
  { name: '360', viewport: { width: 360, height: 780 } },
  { name: '1440', viewport: { width: 1440, height: 900 } },
];
const SCHEMES = ['light', 'dark'] as const;

interface Screen {
  name: string;
  path: (organizationId: string, connectionId: string) => string;
  ready: string | RegExp;
}

const screens: Screen[] = [
  { name: 'connections', path: (o) => `/${o}/connection`, ready: 'worst first' },
  { name: 'overview', path: (o, c) => `/${o}/connection/${c}/configuration`, ready: 'Latest runs' },
  { name: 'coverage', path: (o, c) => `/${o}/connection/${c}/configuration?tab=coverage`, ready: /account-days/ },
  { name: 'runs', path: (o, c) => `/${o}/connection/${c}/configuration?tab=runs`, ready: 'Times in' },
  { name: 'connection settings', path: (o, c) => `/${o}/connection/${c}/configuration?tab=settings`, ready: 'Look-back' },
  { name: 'wizard', path: (o) => `/${o}/createConnection`, ready: 'Or a new source' },
  { name: 'apps', path: (o) => `/${o}/app`, ready: 'Connected' },
  { name: 'catalog', path: (o) => `/${o}/app/connect`, ready: 'Advertising' },
  { name: 'sources', path: (o) => `/${o}/source`, ready: 'Ready' },
  { name: 'destinations', path: (o) => `/${o}/destination`, ready: 'Ready' },
  { name: 'new destination', path: (o) => `/${o}/destination/new/configuration`, ready: 'Checks' },
];

async function violationsOf(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(' | ')}`);
}

const overflowOf = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

for (const { name: size, viewport } of SIZES)
  for (const colorScheme of SCHEMES)
    test(`main screens at ${size} in ${colorScheme} are usable by everybody and never scroll sideways`, async ({ browser }) => {
      test.setTimeout(120_000);
      const { email, password, organizationId, connectionId } = demo();
      const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' });
      const page = await context.newPage();
      await open(page, '/login');
      await expect(page.getByRole('button', { name: 'Fill in the demo sign-in' })).toBeVisible();
      expect.soft(await violationsOf(page), 'sign-in').toEqual([]);
      await signIn(page, { email, password });
      for (const screen of screens) {
        await open(page, screen.path(organizationId, connectionId));
        await expect(page.getByText(screen.ready).first()).toBeAttached();
        await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
        expect.soft(await violationsOf(page), screen.name).toEqual([]);
        expect.soft(await overflowOf(page), `${screen.name} scrolls sideways`).toBe(0);
      }
      await context.close();
    });
