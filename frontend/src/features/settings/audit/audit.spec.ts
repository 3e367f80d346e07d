import { describe, expect, test } from 'vitest';
import { filterOf, isFiltered, readQuestion } from './audit-filter';
import { changesOf, describeAction, describeActor } from './describe-event';

describe('filters in the address', () => {
  test('what cannot be asked for is left out', () => {
    const question = readQuestion(new URLSearchParams('actor=owner&action=drop table&from=yesterday&to=2026-13-45'));
    expect(question).toEqual({ actor: 'owner', action: '', from: '', to: '' });
  });
  test('both days count: the end is the first moment of the day after', () => {
    expect(filterOf({ actor: ' ', action: 'member.', from: '2026-11-01', to: '2026-11-30' })).toEqual({
      action: 'member.',
      from: '2026-11-01T00:00:00.000Z',
      to: '2026-12-01T00:00:00.000Z',
    });
  });
  test('none of them means everything', () => {
    const nothing = readQuestion(new URLSearchParams('tab=audit'));
    expect(filterOf(nothing)).toEqual({});
    expect(isFiltered(nothing)).toBe(false);
  });
});

test.each([
  ['member.role_changed', 'Member role changed'],
  ['api_key.created', 'API key created'],
  ['access.refused', 'Access refused'],
  ['access.revoked', 'Keys and links revoked'],
])('%s reads as "%s"', (action, words) => expect(describeAction(action)).toBe(words));

test.each([
  [{ actorKind: 'user', actorEmail: 'owner@example.com' }, 'owner@example.com'],
  [{ actorKind: 'user', actorEmail: null, actorId: 'uid' }, 'uid'],
  [{ actorKind: 'api_key', actorEmail: 'owner@example.com', apiKeyName: 'Nightly' }, 'Key Nightly of owner@example.com'],
  [{ actorKind: 'super_admin', actorEmail: 'staff@example.com' }, 'staff@example.com, platform staff'],
  [{ actorKind: 'system', actorEmail: null }, 'Tributary'],
] as const)('%j is called "%s"', (actor, name) =>
  expect(describeActor({ actorId: null, apiKeyName: null, ...actor })).toBe(name),
);

test('a list is shown as its entries', () => {
  expect(changesOf({ before: null, after: { apiKeys: ['Nightly', 'Export'] } })).toEqual([
    { field: 'apiKeys', before: '—', after: 'Nightly, Export' },
  ]);
});

test('a change shows both sides, and a dash for what was not there', () => {
  expect(changesOf({ before: { role: 'viewer' }, after: { role: 'admin', isPaused: false } })).toEqual([
    { field: 'role', before: 'viewer', after: 'admin' },
    { field: 'isPaused', before: '—', after: 'false' },
  ]);
});
