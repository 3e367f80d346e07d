import { expect, test } from 'vitest';
import type { NotificationRule, Webhook } from '~/api/types';
import { ruleChoices } from './rule-choices';

const rule = (given: Partial<NotificationRule>) => ({ roles: [], memberIds: [], endpoint: null, ...given }) as NotificationRule;
const webhook = (given: Partial<Webhook>) => ({ isEnabled: true, ...given }) as Webhook;
const [PAGER, TEAM] = [webhook({ id: 'a', name: 'Pager', kind: 'signed' }), webhook({ id: 'b', name: '#data', kind: 'slack' })];
const labelsOf = (rules: NotificationRule[], webhooks: Webhook[] = []) => ruleChoices(rules, webhooks).map(({ label }) => label);

test('offers the app, each role and each webhook', () => {
  const roles = ['Mail to editors', 'Mail to owners and admins', 'Mail to owners', 'Mail to admins', 'Mail to viewers'];
  expect(labelsOf([], [PAGER, TEAM])).toEqual([...roles, 'In the app', 'Webhook Pager', 'Slack #data']);
});

test('offers no rule that exists', () => {
  const rules = [
    rule({ channel: 'in_app' }),
    rule({ channel: 'mail', roles: ['owner', 'admin'] }),
    rule({ channel: 'mail', roles: ['editor'] }),
    rule({ channel: 'webhook', endpoint: { id: 'a', name: 'Pager', isEnabled: true } }),
  ];
  expect(labelsOf(rules, [PAGER, TEAM])).toEqual(['Mail to owners', 'Mail to admins', 'Mail to viewers', 'Slack #data']);
});

test('a rule for a webhook names its endpoint, and contains alerts only', () => {
  const choice = ruleChoices([], [PAGER]).find(({ value }) => value === 'a');
  expect(choice?.rule).toMatchObject({
    channel: 'webhook',
    endpointId: 'a',
    events: expect.arrayContaining(['connection.failing']),
  });
  expect(choice?.rule.events.filter((event) => /^(weekly|freshness)/.test(event))).toEqual([]);
});
