import { expect, test } from 'vitest';
import type { NotificationRule } from '~/api/types';
import { describeRule, eventsFor } from './rule-words';

const rule = (given: Partial<NotificationRule>) => ({ roles: [], memberIds: [], endpoint: null, ...given }) as NotificationRule;

test.each<[Partial<NotificationRule>, string]>([
  [{ channel: 'in_app' }, 'In the app'],
  [{ channel: 'mail', roles: ['owner', 'admin'] }, 'Mail to owners and admins'],
  [{ channel: 'mail', roles: ['owner'], memberIds: ['a'] }, 'Mail to owners and 1 member'],
  [{ channel: 'slack', endpoint: { id: 'a', name: '#data', isEnabled: true } }, 'Slack #data'],
])('describes %o', (given, text) => expect(describeRule(rule(given))).toBe(text));

test('offers events of freshness to programs only', () => {
  expect(eventsFor('webhook')).toContain('freshness.late');
  for (const channel of ['mail', 'in_app'] as const) expect(eventsFor(channel)).not.toContain('freshness.late');
  expect(eventsFor('in_app')).not.toContain('weekly.summary');
});
