import { matchRoutes } from 'react-router-dom';
import { describe, expect, test } from 'vitest';
import { patterns } from '~/domain/navigation/paths';
import { routeTable } from './route-table';
import type { LayoutName } from './route-table';

const O = '0198f3a2-7c41-7d0e-8000-00000000000a';
const I = '0198f3a2-7c41-7d0e-8000-00000000000b';

/**
 * The routes of the specification, in its order, with their layouts. Routes without a layout have the default layout, except the
 * return pages of the checkout, which have the layout of the subscription.
 */
const SPECIFIED: [path: string, layout: LayoutName][] = [
  [`/${O}/acceptInvitation/${I}`, 'top'],
  [`/${O}/app`, 'default'],
  [`/${O}/app/${I}`, 'default'],
  [`/${O}/app/connect`, 'default'],
  [`/${O}/app/${I}/bigquery/configuration`, 'default'],
  [`/${O}/app/${I}/custom-submission`, 'default'],
  [`/${O}/app/${I}/google/configuration`, 'default'],
  [`/${O}/app/${I}/meta/configuration`, 'default'],
  [`/${O}/app/${I}/microsoft/configuration`, 'default'],
  [`/${O}/app/${I}/mixpanel/configuration`, 'default'],
  [`/${O}/connection`, 'default'],
  [`/${O}/connection/${I}/configuration`, 'default'],
  [`/${O}/connection/${I}/test1`, 'default'],
  [`/${O}/conversion`, 'default'],
  [`/${O}/conversion/${I}/configuration`, 'default'],
  [`/${O}/createConnection`, 'default'],
  [`/${O}/createConversion`, 'default'],
  [`/${O}/destination`, 'default'],
  [`/${O}/destination/${I}/configuration`, 'default'],
  [`/${O}/GoogleAds`, 'empty'],
  [`/${O}/MetaAds`, 'default'],
  [`/${O}/MicrosoftAds`, 'empty'],
  [`/${O}/payment`, 'default'],
  [`/${O}/payment/${I}/configuration`, 'default'],
  [`/${O}/settings`, 'default'],
  [`/${O}/source`, 'default'],
  [`/${O}/source/${I}/google/configuration`, 'default'],
  [`/${O}/source/${I}/meta/configuration`, 'default'],
  [`/${O}/source/${I}/microsoft/configuration`, 'default'],
  [`/${O}/subscription`, 'top'],
  [`/${O}/subscription/success`, 'top'],
  [`/${O}/subscription/failure`, 'top'],
  ['/login', 'empty'],
  ['/signUp', 'empty'],
  ['/forgotPassword', 'empty'],
  ['/onboarding', 'top'],
  ['/organizations', 'top'],
  ['/addSource', 'default'],
  ['/addDestination', 'default'],
  ['/addConversionSource', 'default'],
  ['/addConversionDestination', 'default'],
  ['/bigquery', 'default'],
  ['/SourceSettings', 'default'],
  ['/googleReauth', 'default'],
  ['/metaReauth', 'default'],
  ['/microsoftReauth', 'default'],
  ['/demo', 'demo'],
];

/** Routes that are not in the specification. */
const ADDED: [path: string, layout: LayoutName][] = [['/account', 'top']];

const names = Object.keys(routeTable) as (keyof typeof routeTable)[];
const routes = names.map((name) => ({ id: name, path: patterns[name], caseSensitive: true }));

const nameOf = (path: string) => names.find((name) => name === matchRoutes(routes, path)?.[0]?.route.id);

describe('routes of the specification have a page and a layout', () =>
  test.each([...SPECIFIED, ...ADDED])('%s', (path, layout) => {
    const name = nameOf(path);
    expect(name && routeTable[name].layout).toBe(layout);
  }));

test('finds no page for an unknown path', () => {
  expect(nameOf(`/${O}/conections`)).toBeUndefined();
  expect(nameOf('/nowhere')).toBeUndefined();
});
