import { describe, expect, test } from 'vitest';
import { ACTION_KINDS, filterOf, isFiltered, readFilterValues } from './audit-filter';
import { changesOf, describeAction, describeActor, describeTarget } from './describe-event';

describe('filters in the URL', () => {
  test('ignores invalid values', () => {
    const filterValues = readFilterValues(new URLSearchParams('actor=owner&action=drop table&from=yesterday&to=2026-13-45'));
    expect(filterValues).toEqual({ actor: 'owner', action: '', from: '', to: '' });
  });
  test('includes both days and ends at the start of the next day', () => {
    expect(filterOf({ actor: ' ', action: 'member.', from: '2026-11-01', to: '2026-11-30' })).toEqual({
      action: 'member.',
      from: '2026-11-01T00:00:00.000Z',
      to: '2026-12-01T00:00:00.000Z',
    });
  });
  test('returns an empty filter without parameters', () => {
    const nothing = readFilterValues(new URLSearchParams('tab=audit'));
    expect(filterOf(nothing)).toEqual({});
    expect(isFiltered(nothing)).toBe(false);
  });
});

test.each([
  ...['alert.acknowledged', 'api_key.created', 'app.updated', 'backfill.started', 'badge.created', 'billing.portal_opened'],
  ...['configuration.imported', 'connection.paused', 'conversion.replayed', 'destination.created', 'invitation.sent'],
  ...['member.joined', 'notification_rule.created', 'organization.updated', 'payment.created', 'resync.started'],
  ...['source.updated', 'submission.submitted', 'webhook.created', 'access.refused', 'access.revoked', 'super_admin.read'],
])('the filter offers the kind of the action %s', (action) =>
  expect(ACTION_KINDS.some(({ value }) => value === action || (value.endsWith('.') && action.startsWith(value)))).toBe(true),
);

test.each([
  ['member.role_changed', 'Member role changed'],
  ['api_key.created', 'API key created'],
  ['access.refused', 'Access denied'],
  ['access.revoked', 'Keys and links revoked'],
  ['app.push_key_made', 'Push key created'],
  ['app.push_changed', 'Push endpoint changed'],
])('describes action %s as "%s"', (action, words) => expect(describeAction(action)).toBe(words));

test.each([
  [{ actorKind: 'user', actorEmail: 'owner@example.com' }, 'owner@example.com'],
  [{ actorKind: 'user', actorEmail: null, actorId: 'uid' }, 'uid'],
  [{ actorKind: 'api_key', actorEmail: 'owner@example.com', apiKeyName: 'Nightly' }, 'Key Nightly of owner@example.com'],
  [{ actorKind: 'super_admin', actorEmail: 'staff@example.com' }, 'staff@example.com, platform staff'],
  [{ actorKind: 'system', actorEmail: null }, 'Tributary'],
] as const)('describes actor %j as "%s"', (actor, name) =>
  expect(describeActor({ actorId: null, apiKeyName: null, ...actor })).toBe(name),
);

test('shows a list as its entries', () => {
  expect(changesOf({ before: null, after: { apiKeys: ['Nightly', 'Export'] } })).toEqual([
    { field: 'apiKeys', before: '—', after: 'Nightly, Export' },
  ]);
});

test('shows values before and after, with a dash for missing values', () => {
  expect(changesOf({ before: { role: 'viewer' }, after: { role: 'admin', isPaused: false } })).toEqual([
    { field: 'role', before: 'viewer', after: 'admin' },
    { field: 'isPaused', before: '—', after: 'false' },
  ]);
});

test.each([
  [{ type: 'organization', id: 'o-1', name: null }, 'Acme'],
  [{ type: 'connection', id: 'c-1', name: 'Search' }, 'Search'],
  [{ type: 'operation', id: 'apiKeys.write', name: null }, 'apiKeys.write'],
  [{ type: 'organization', id: null, name: null }, 'Acme'],
])('describes the target %j as "%s"', (target, name) => expect(describeTarget(target, 'Acme')).toBe(name));
