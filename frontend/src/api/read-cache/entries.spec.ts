import { expect, test } from 'vitest';
import { unstable_serialize } from 'swr';
import { unstable_serialize as serializeInfinite } from 'swr/infinite';
import { keys } from '~/api/http/keys';
import { entriesToEvict } from './entries-to-evict';
import { entryKeyOf } from './entry-key';

const O = '0198f3a2-7c41-7d0e-8000-00000000000a';

test('stores what lists and pages of an organization show', () => {
  expect(entryKeyOf(unstable_serialize(keys.connections(O, { limit: 50, search: 'a' })))).toEqual({
    kind: 'connections',
    organizationId: O,
  });
  expect(entryKeyOf(serializeInfinite(() => keys.runs(O, 'c')))).toEqual({ kind: 'runs', organizationId: O });
});

test.each([
  ['data outside an organization', keys.pendingInvitations('a@example.com')],
  ['personal data of events', keys.conversionEvents(O, 'c', {})],
  ['pushed events', keys.pushReceipts(O, 'a')],
  ['estimates', keys.estimate(O, {})],
  ['API keys', keys.apiKeys(O)],
  ['another text in place of the organization', keys.apps('northwind')],
])('does not store %s', (_, key) => expect(entryKeyOf(unstable_serialize(key))).toBeNull());

test('evicts the oldest entries until the rest is within the limit', () => {
  const entry = (id: string, bytes: number, storedAtMs: number) => ({ id, bytes, storedAtMs });
  const entries = [entry('old', 40, 1), entry('new', 50, 3), entry('middle', 60, 2)];
  expect(entriesToEvict(entries, 150)).toEqual([]);
  expect(entriesToEvict(entries, 149)).toEqual(['old']);
  expect(entriesToEvict(entries, 100)).toEqual(['middle', 'old']);
  expect(entriesToEvict(entries, 49)).toEqual(['new', 'middle', 'old']);
});
