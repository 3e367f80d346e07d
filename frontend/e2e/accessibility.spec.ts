import { expect, test } from '@playwright/test';
import { overflowOf, SCHEMES, SIZES, violationsOf } from './support/accessibility.ts';
import { demo } from './support/instance.ts';
import { open, signIn } from './support/steps.ts';

interface Screen {
  name: string;
  path: (organizationId: string, connectionId: string) => string;
  ready: string | RegExp;
}

const screens: Screen[] = [
  { name: 'connections', path: (o) => `/${o}/connection`, ready: 'sorted by severity' },
  { name: 'overview', path: (o, c) => `/${o}/connection/${c}/configuration`, ready: 'Latest runs' },
  { name: 'coverage', path: (o, c) => `/${o}/connection/${c}/configuration?tab=coverage`, ready: /account-days/ },
  { name: 'runs', path: (o, c) => `/${o}/connection/${c}/configuration?tab=runs`, ready: 'Times in' },
  { name: 'connection settings', path: (o, c) => `/${o}/connection/${c}/configuration?tab=settings`, ready: 'Lookback window' },
  { name: 'wizard', path: (o) => `/${o}/createConnection`, ready: 'Or a new source' },
  { name: 'apps', path: (o) => `/${o}/app`, ready: 'Connected' },
  { name: 'catalog', path: (o) => `/${o}/app/connect`, ready: 'Advertising' },
  { name: 'sources', path: (o) => `/${o}/source`, ready: 'Ready' },
  { name: 'destinations', path: (o) => `/${o}/destination`, ready: 'Ready' },
  { name: 'general settings', path: (o) => `/${o}/settings`, ready: 'Save settings' },
  { name: 'team', path: (o) => `/${o}/settings?tab=team`, ready: '(you)' },
  { name: 'API keys', path: (o) => `/${o}/settings?tab=api-keys`, ready: 'No API keys yet' },
  { name: 'usage', path: (o) => `/${o}/settings?tab=usage`, ready: 'Rows loaded per day' },
  { name: 'no billing', path: (o) => `/${o}/subscription`, ready: 'Billing is off on this instance' },
  { name: 'audit', path: (o) => `/${o}/settings?tab=audit`, ready: 'Organization created' },
  { name: 'danger', path: (o) => `/${o}/settings?tab=danger`, ready: 'Delete organization' },
  { name: 'an unfinished page', path: (o) => `/${o}/payment`, ready: 'Go to connections' },
  { name: 'an unknown path', path: (o) => `/${o}/conections`, ready: 'Page not found' },
  { name: 'new PostgreSQL', path: (o) => `/${o}/destination/new/configuration?provider=postgresql`, ready: 'Checks' },
  { name: 'new BigQuery', path: (o) => `/${o}/destination/new/configuration?provider=bigquery`, ready: 'Required roles' },
  { name: 'new Mixpanel', path: (o) => `/${o}/destination/new/configuration?provider=mixpanel`, ready: 'Restated numbers' },
  { name: 'add source', path: () => '/addSource', ready: 'Don’t have access?' },
  { name: 'add destination', path: () => '/addDestination', ready: 'Don’t have access?' },
  { name: 'add conversion source', path: () => '/addConversionSource', ready: 'Don’t have access?' },
  { name: 'add conversion destination', path: () => '/addConversionDestination', ready: 'Don’t have access?' },
  { name: 'a step without its flow', path: () => '/SourceSettings', ready: 'This setup step has expired' },
];

for (const { name: size, viewport } of SIZES)
  for (const colorScheme of SCHEMES)
    test(`main screens have no WCAG violations or horizontal scrolling at ${size} in ${colorScheme}`, async ({ browser }) => {
      test.setTimeout(180_000);
      const { email, password, organizationId, connectionId } = demo();
      const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' });
      const page = await context.newPage();
      await open(page, '/login');
      await expect(page.getByRole('button', { name: 'Use demo account' })).toBeVisible();
      expect.soft(await violationsOf(page), 'sign-in').toEqual([]);
      await signIn(page, { email, password });
      for (const screen of screens) {
        await open(page, screen.path(organizationId, connectionId));
        await expect(page.getByText(screen.ready).first()).toBeAttached();
        await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
        expect.soft(await violationsOf(page), screen.name).toEqual([]);
        expect.soft(await overflowOf(page), `${screen.name} scrolls horizontally`).toBe(0);
      }
      await context.close();
    });
