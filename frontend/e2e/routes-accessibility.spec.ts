import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import type { patterns } from '~/domain/navigation/paths';
import { expectAccessible, openAt, SIZES } from './support/accessibility.ts';
import { anOrganization, aPerson, post } from './support/calls.ts';
import type { Person } from './support/calls.ts';
import { aPushApp } from './support/conversions.ts';
import { instance } from './support/instance.ts';
import { connectSource, sources } from './support/pairs.ts';
import { get } from './support/resources.ts';
import { open, openAs } from './support/steps.ts';

interface Ids {
  organizationId: string;
  /** Apps by provider. */
  apps: Record<string, string>;
  /** Sources by provider. */
  sources: Record<string, string>;
}

interface Visit {
  path: (ids: Ids) => string;
  ready: string | RegExp;
}

/** Checked by another specification of this folder. */
type Elsewhere = `${string}.spec.ts`;

const visit = (path: Visit['path'], ready: Visit['ready']): Visit => ({ path, ready });
const configuration = (provider: string, part: string) =>
  visit(({ organizationId, apps }) => `/${organizationId}/app/${apps[provider]}/${part}/configuration`, 'Accounts and defaults');
const sourcePage = (provider: string, part: string, ready: string) =>
  visit((ids) => `/${ids.organizationId}/source/${ids.sources[provider]}/${part}/configuration`, ready);
const landing = (part: string) => visit(({ organizationId }) => `/${organizationId}/${part}`, 'Nothing to finish here');

/** Every route, so that a new one does not compile without an accessibility check. `home` only forwards. */
const ROUTES: Record<Exclude<keyof typeof patterns, 'home'>, Visit | Elsewhere> = {
  login: 'accessibility.spec.ts',
  signUp: 'accessibility-session.spec.ts',
  forgotPassword: 'accessibility-session.spec.ts',
  organizations: 'accessibility-session.spec.ts',
  people: 'people.spec.ts',
  onboarding: 'accessibility-session.spec.ts',
  demo: 'accessibility-session.spec.ts',
  account: visit(() => '/account', 'Two-step sign-in'),
  acceptInvitation: 'accessibility-session.spec.ts',
  connections: 'accessibility.spec.ts',
  connection: 'accessibility.spec.ts',
  testBench: 'overlays-accessibility.spec.ts',
  createConnection: 'wizard-accessibility.spec.ts',
  createConversion: 'conversions-accessibility.spec.ts',
  googleAds: landing('GoogleAds'),
  metaAds: landing('MetaAds'),
  microsoftAds: landing('MicrosoftAds'),
  apps: 'apps-accessibility.spec.ts',
  connectApp: 'apps-accessibility.spec.ts',
  connectProvider: landing('app/connect/google_ads'),
  app: 'apps-accessibility.spec.ts',
  appGoogle: configuration('google_ads', 'google'),
  appMeta: 'apps-accessibility.spec.ts',
  appMicrosoft: configuration('microsoft_ads', 'microsoft'),
  appBigquery: 'wizard-accessibility.spec.ts',
  appMixpanel: 'wizard-accessibility.spec.ts',
  appCustom: 'custom-app.spec.ts',
  sources: 'apps-accessibility.spec.ts',
  source: sourcePage('google_ads', 'google', 'Used by'),
  sourceMeta: 'apps-accessibility.spec.ts',
  sourceMicrosoft: sourcePage('microsoft_ads', 'microsoft', 'Used by'),
  sourceCustom: sourcePage('custom', 'custom', 'custom_events'),
  destinations: 'accessibility.spec.ts',
  destination: 'wizard-accessibility.spec.ts',
  conversions: 'conversions-accessibility.spec.ts',
  conversion: 'conversions-accessibility.spec.ts',
  payments: 'payments-accessibility.spec.ts',
  payment: 'payments-accessibility.spec.ts',
  alerts: 'alerts.spec.ts',
  settings: 'accessibility.spec.ts',
  subscription: 'billing-accessibility.spec.ts',
  subscriptionSuccess: 'billing-accessibility.spec.ts',
  subscriptionFailure: 'billing-accessibility.spec.ts',
  addSource: 'accessibility.spec.ts',
  addDestination: 'accessibility.spec.ts',
  addConversionSource: 'accessibility.spec.ts',
  addConversionDestination: 'accessibility.spec.ts',
  bigquery: visit(() => '/bigquery', 'Add BigQuery'),
  sourceSettings: 'accessibility.spec.ts',
  googleReauth: visit(() => '/googleReauth', 'All Google sign-ins work'),
  metaReauth: 'apps-accessibility.spec.ts',
  microsoftReauth: visit(() => '/microsoftReauth', 'All Microsoft sign-ins work'),
};

const isElsewhere = (route: Visit | Elsewhere): route is Elsewhere => typeof route === 'string';
const routes = Object.entries(ROUTES);

test('the specifications that check the other routes check accessibility', () => {
  const files = new Set(routes.map(([, route]) => route).filter(isElsewhere));
  for (const file of files)
    expect(readFileSync(new URL(file, import.meta.url), 'utf8'), file).toMatch(/expectAccessible\(|violationsOf\(/);
});

interface Item {
  id: string;
  provider: string;
}

async function idsOf(person: Person, organizationId: string): Promise<Ids> {
  const list = async (kind: 'apps' | 'sources') => {
    const { items } = await get<{ items: Item[] }>(person, `${instance().url}/api/v1/organizations/${organizationId}/${kind}`);
    return Object.fromEntries(items.map(({ id, provider }) => [provider, id]));
  };
  return { organizationId, apps: await list('apps'), sources: await list('sources') };
}

for (const size of SIZES)
  test(`all other routes have no violations or horizontal scrolling at ${size.name}`, async ({ browser }) => {
    test.setTimeout(180_000);
    const person = await aPerson();
    const organizationId = await anOrganization(person);
    const page = await openAt(browser, size);
    await openAs(page, person, '/addSource');
    for (const { name, ...kind } of sources.filter(({ platform }) => platform !== 'Facebook')) {
      await open(page, '/addSource');
      await connectSource(page, { name, ...kind });
      await expect(page.getByRole('heading', { name: `${name} is connected` })).toBeVisible();
    }
    const { id: appId } = await aPushApp(person, organizationId);
    const of = `${instance().url}/api/v1/organizations/${organizationId}`;
    await post(`${of}/sources`, { appId, name: 'Events', accountIds: [appId] }, person.token);
    const ids = await idsOf(person, organizationId);
    for (const [name, route] of routes) {
      if (isElsewhere(route)) continue;
      await open(page, route.path(ids));
      await expect(page.getByText(route.ready).first(), name).toBeVisible();
      await expectAccessible(page, name);
    }
    await page.context().close();
  });
