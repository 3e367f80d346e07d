import { expect, test } from 'vitest';
import { paths, planPathFrom } from './paths';

const organizationId = '0198f3a2-7c41-7d0e-8000-000000000001';
const id = '0198f3a2-7c41-7d0e-8000-000000000002';

test('keeps the URL of every page', () => {
  const links = Object.fromEntries(
    Object.entries(paths).map(([name, build]) => [
      name,
      // A page without an item takes its query instead of the id.
      (build as (organizationId: string, id?: string) => string)(organizationId, id).split('?')[0],
    ]),
  );
  expect(links).toMatchSnapshot();
});

test('puts filters, tabs and steps into the query', () => {
  expect(paths.connections('o', { health: 'failing', search: 'a b' })).toBe('/o/connection?health=failing&search=a+b');
  expect(paths.connection('o', 'c', { tab: 'runs', run: 'r' })).toBe('/o/connection/c/configuration?tab=runs&run=r');
  expect(paths.createConnection('o', { step: 'review' })).toBe('/o/createConnection?step=review');
});

test('omits empty filters from the query', () => {
  expect(paths.connections('o', { health: undefined })).toBe('/o/connection');
  expect(paths.connection('o', 'c', { run: null })).toBe('/o/connection/c/configuration');
});

test('returns the landing, reconnect and configuration page of each platform, or the default page', () => {
  const platforms = ['google_ads', 'meta_ads', 'microsoft_ads', 'bigquery', 'postgresql'];
  expect(platforms.map((provider) => paths.reauth(provider))).toEqual([
    '/googleReauth',
    '/metaReauth',
    '/microsoftReauth',
    '/googleReauth',
    '/googleReauth',
  ]);
  expect(platforms.slice(0, 3).map((provider) => paths.landing('o', provider, { app: 'a' }))).toEqual([
    '/o/GoogleAds?app=a',
    '/o/MetaAds?app=a',
    '/o/MicrosoftAds?app=a',
  ]);
  expect(platforms.map((provider) => paths.appConfiguration('o', 'a', provider))).toEqual([
    '/o/app/a/google/configuration',
    '/o/app/a/meta/configuration',
    '/o/app/a/microsoft/configuration',
    '/o/app/a/bigquery/configuration',
    '/o/app/a',
  ]);
  expect(platforms.slice(0, 3).map((provider) => paths.source('o', 's', provider))).toEqual([
    '/o/source/s/google/configuration',
    '/o/source/s/meta/configuration',
    '/o/source/s/microsoft/configuration',
  ]);
});

test('returns the subscription page of the organization in the path', () => {
  expect(planPathFrom(`/${organizationId}/connection/${id}/configuration`)).toBe(`/${organizationId}/subscription`);
  expect(planPathFrom('/addSource')).toBe('/subscription');
});
