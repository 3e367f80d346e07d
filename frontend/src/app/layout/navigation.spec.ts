import { expect, test } from 'vitest';
import { flowPatterns, patterns } from '~/domain/navigation/paths';
import { entriesFor, isCurrent, navigation } from './navigation';

const namesOf = (plan: { isBilled: boolean; isOpen: boolean }, isLocked: boolean) =>
  entriesFor(plan)
    .flat()
    .filter((entry) => entry.isLocked === isLocked)
    .map(({ label }) => label);

test('without billing there is no plan to look at, and nothing is locked', () => {
  expect(namesOf({ isBilled: false, isOpen: true }, false)).not.toContain('Subscription');
  expect(namesOf({ isBilled: false, isOpen: true }, true)).toEqual([]);
});

test('without a plan only settings and the subscription are open', () =>
  expect(namesOf({ isBilled: true, isOpen: false }, false)).toEqual(['Settings', 'Subscription']));

test('with one everything is', () => expect(namesOf({ isBilled: true, isOpen: true }, true)).toEqual([]));

const placesOf = (pathname: string, origin: 'connection' | 'conversion' | 'app' | null = null) =>
  navigation
    .flat()
    .filter((entry) => isCurrent(entry, pathname, origin))
    .map(({ label }) => label);

test('every step of a flow has one place in the sidebar', () => {
  const landings = [patterns.googleAds, patterns.metaAds, patterns.microsoftAds];
  const steps = [...Object.values(flowPatterns), ...landings.map((pattern) => pattern.replace(':organizationId', 'some'))];
  for (const origin of [null, 'connection', 'conversion', 'app'] as const)
    expect(steps.map((step) => placesOf(step, origin).length)).toEqual(steps.map(() => 1));
});

test('a step that several flows share stands where its flow began', () => {
  expect(placesOf('/addSource')).toEqual(['Sources']);
  expect(placesOf('/addSource', 'connection')).toEqual(['Connections']);
  expect(placesOf('/some/MetaAds', 'app')).toEqual(['Apps']);
  expect(placesOf('/some/MetaAds', 'connection')).toEqual(['Connections']);
  expect(placesOf('/metaReauth', 'connection')).toEqual(['Apps']);
  expect(placesOf('/some/source/1/meta/configuration')).toEqual(['Sources']);
});
