import { expect, test } from 'vitest';
import { flowPatterns, patterns } from '~/domain/navigation/paths';
import { entriesFor, isCurrent, navigation } from './navigation';

const namesOf = (plan: { isBilled: boolean; isOpen: boolean }, isLocked: boolean) =>
  entriesFor(plan)
    .flat()
    .filter((entry) => entry.isLocked === isLocked)
    .map(({ label }) => label);

test('hides the subscription and locks nothing without billing', () => {
  expect(namesOf({ isBilled: false, isOpen: true }, false)).not.toContain('Subscription');
  expect(namesOf({ isBilled: false, isOpen: true }, true)).toEqual([]);
});

test('opens only settings and subscription without a plan', () =>
  expect(namesOf({ isBilled: true, isOpen: false }, false)).toEqual(['Settings', 'Subscription']));

test('opens everything with a plan', () => expect(namesOf({ isBilled: true, isOpen: true }, true)).toEqual([]));

const entriesOf = (pathname: string, origin: 'connection' | 'conversion' | 'app' | null = null) =>
  navigation
    .flat()
    .filter((entry) => isCurrent(entry, pathname, origin))
    .map(({ label }) => label);

test('assigns every step of a flow to one entry of the sidebar', () => {
  const landings = [patterns.googleAds, patterns.metaAds, patterns.microsoftAds];
  const steps = [...Object.values(flowPatterns), ...landings.map((pattern) => pattern.replace(':organizationId', 'some'))];
  for (const origin of [null, 'connection', 'conversion', 'app'] as const)
    expect(steps.map((step) => entriesOf(step, origin).length)).toEqual(steps.map(() => 1));
});

test('assigns a shared step to the entry where its flow started', () => {
  expect(entriesOf('/addSource')).toEqual(['Sources']);
  expect(entriesOf('/addSource', 'connection')).toEqual(['Connections']);
  expect(entriesOf('/some/MetaAds', 'app')).toEqual(['Apps']);
  expect(entriesOf('/some/MetaAds', 'connection')).toEqual(['Connections']);
  expect(entriesOf('/metaReauth', 'connection')).toEqual(['Apps']);
  expect(entriesOf('/some/source/1/meta/configuration')).toEqual(['Sources']);
});
