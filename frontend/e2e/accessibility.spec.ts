import { expect, test } from '@playwright/test';
import { expectAccessible, openAt, show, SIZES } from './support/accessibility.ts';
import { demo } from './support/instance.ts';
import { open, signIn } from './support/steps.ts';

interface Screen {
  name: string;
  path: (organizationId: string, connectionId: string) => string;
  ready: string | RegExp;
}

/** Each group is a separate test, so that the groups run at the same time. */
const groups: Record<string, Screen[]> = {
  'connection pages': [
    { name: 'connections', path: (o) => `/${o}/connection`, ready: 'sorted by severity' },
    { name: 'overview', path: (o, c) => `/${o}/connection/${c}/configuration`, ready: 'Latest runs' },
    { name: 'coverage', path: (o, c) => `/${o}/connection/${c}/configuration?tab=coverage`, ready: /account-days/ },
    { name: 'runs', path: (o, c) => `/${o}/connection/${c}/configuration?tab=runs`, ready: 'Times in' },
    { name: 'connection settings', path: (o, c) => `/${o}/connection/${c}/configuration?tab=settings`, ready: 'Lookback window' },
    { name: 'wizard', path: (o) => `/${o}/createConnection`, ready: 'Or a new source' },
  ],
  'app, source and destination pages': [
    { name: 'apps', path: (o) => `/${o}/app`, ready: 'Connected' },
    { name: 'catalog', path: (o) => `/${o}/app/connect`, ready: 'Advertising' },
    { name: 'sources', path: (o) => `/${o}/source`, ready: 'Ready' },
    { name: 'destinations', path: (o) => `/${o}/destination`, ready: 'Ready' },
    { name: 'new PostgreSQL', path: (o) => `/${o}/destination/new/configuration?provider=postgresql`, ready: 'Checks' },
    { name: 'new BigQuery', path: (o) => `/${o}/destination/new/configuration?provider=bigquery`, ready: 'Required roles' },
    { name: 'new Mixpanel', path: (o) => `/${o}/destination/new/configuration?provider=mixpanel`, ready: 'Corrections' },
  ],
  'settings pages': [
    { name: 'general settings', path: (o) => `/${o}/settings`, ready: 'Save settings' },
    { name: 'team', path: (o) => `/${o}/settings?tab=team`, ready: '(you)' },
    { name: 'API keys', path: (o) => `/${o}/settings?tab=api-keys`, ready: 'No API keys yet' },
    { name: 'usage', path: (o) => `/${o}/settings?tab=usage`, ready: 'Rows loaded per day' },
    { name: 'no billing', path: (o) => `/${o}/subscription`, ready: 'Billing is off on this instance' },
    { name: 'audit', path: (o) => `/${o}/settings?tab=audit`, ready: 'Organization created' },
    { name: 'data', path: (o) => `/${o}/settings?tab=data`, ready: 'Export configuration' },
    { name: 'danger', path: (o) => `/${o}/settings?tab=danger`, ready: 'Delete organization' },
  ],
  'short addresses and missing pages': [
    { name: 'the demo tour', path: () => '/demo', ready: 'Cause a fault' },
    { name: 'an unknown path', path: (o) => `/${o}/conections`, ready: 'Page not found' },
    { name: 'add source', path: () => '/addSource', ready: 'Don’t have access?' },
    { name: 'add destination', path: () => '/addDestination', ready: 'Don’t have access?' },
    { name: 'add conversion source', path: () => '/addConversionSource', ready: 'Don’t have access?' },
    { name: 'add conversion destination', path: () => '/addConversionDestination', ready: 'Don’t have access?' },
    { name: 'a step without its flow', path: () => '/SourceSettings', ready: 'This setup step has expired' },
  ],
};

for (const size of SIZES) {
  test(`sign-in has no WCAG violations or horizontal scrolling at ${size.name}`, async ({ browser }) => {
    const page = await openAt(browser, size);
    await open(page, '/login');
    await expect(page.getByRole('button', { name: 'Use demo account' })).toBeVisible();
    await expectAccessible(page, 'sign-in');
    await page.context().close();
  });

  for (const [group, screens] of Object.entries(groups))
    test(`${group} have no WCAG violations or horizontal scrolling at ${size.name}`, async ({ browser }) => {
      const { email, password, organizationId, connectionId } = demo();
      const page = await openAt(browser, size);
      await open(page, '/login');
      await signIn(page, { email, password });
      for (const screen of screens) {
        await open(page, screen.path(organizationId, connectionId));
        await expect(page.getByText(screen.ready).first()).toBeAttached();
        await expectAccessible(page, screen.name);
      }
      await page.context().close();
    });
}

test('with reduced motion, a change of the color scheme starts no transition', async ({ browser }) => {
  const page = await openAt(browser, SIZES[0]!);
  await open(page, '/login');
  await expect(page.getByRole('button', { name: 'Use demo account' })).toBeVisible();
  await page.evaluate(() => document.addEventListener('transitionrun', () => (document.title = 'A transition has started')));
  await show(page, SIZES[0]!, 'dark');
  await expect(page).not.toHaveTitle('A transition has started');
  await page.context().close();
});
