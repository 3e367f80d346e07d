import { expect, test } from 'vitest';
import { keys, keysAboutConnection, keysAboutConversion, keysUpdatedLive } from './keys';

const [O, OTHER, ID, RUN] = ['organization', 'other', 'id', 'run'];

/** Caches that a live event updates. */
const updated: (readonly unknown[])[] = [
  ...[keys.connections(O, {}), keys.connection(O, ID), keys.coverage(O, ID, {}), keys.completeness(O, ID), keys.daily(O, ID, {})],
  ...[
    keys.freshness(O, ID),
    keys.freshnessOf(O, [ID]),
    keys.runs(O, ID),
    keys.runsInState(O, ID, 'failed'),
    keys.run(O, RUN),
    keys.proof(O, ID, RUN),
  ],
  ...[keys.backfills(O, ID), keys.backfill(O, ID, RUN), keys.connectionAudit(O, ID), keys.connectionSchema(O, ID)],
  ...[keys.schemaChanges(O, ID), keys.restatements(O, ID, {}), keys.settlingTimes(O, ID, 'ad_daily'), keys.reconciliation(O, ID)],
  ...[keys.conversions(O), keys.conversion(O, ID), keys.conversionFunnel(O, ID), keys.conversionRuns(O, ID)],
  ...[keys.conversionEvents(O, ID, {}), keys.conversionEvent(O, ID, RUN), keys.conversionOrders(O, '')],
  keys.olderConversionEvents(O, ID, {}),
  ...[keys.payments(O), keys.payment(O, ID), keys.recurringRevenue(O, ID)],
  ...[keys.document(O), keys.members(O), keys.profile(O), keys.sentInvitations(O), keys.alerts(O, {})],
  ...[keys.pushReceipts(O, ID), keys.pushEndpoint(O, ID)],
];

test.each(updated)('%s is loaded again after an interruption of the live events', (...key) =>
  expect(keysUpdatedLive(O)(key)).toBe(true),
);

test('an interruption loads everything that the events of connections and conversions load', () => {
  const all = Object.values(keys).map((keyOf) => (keyOf as (...parameters: unknown[]) => readonly unknown[])(O, ID, {}));
  const isUpdated = (key: unknown) => keysAboutConnection(O, ID)(key) || keysAboutConversion(O, ID)(key);
  expect(all.filter((key) => isUpdated(key) && !keysUpdatedLive(O)(key))).toEqual([]);
});

test.each([
  ['another organization', keys.daily(OTHER, ID, {})],
  ['an estimate', keys.estimate(O, {})],
  ['API keys', keys.apiKeys(O)],
])('an interruption does not load %s', (_, key) => expect(keysUpdatedLive(O)(key)).toBe(false));

test('a change of a conversion loads the older pages of its events again', () => {
  expect(keysAboutConversion(O, ID)([...keys.olderConversionEvents(O, ID, { state: 'rejected' }), 2])).toBe(true);
  expect(keysAboutConversion(O, ID)([...keys.olderConversionEvents(O, RUN, {}), 2])).toBe(false);
});
