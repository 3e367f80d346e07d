import type { MemberRole, NewNotificationRule, NotificationRule, Webhook } from '~/api/types';
import { describeRule, eventsFor } from './rule-words';

export interface RuleChoice {
  value: string;
  /** As the rule is described in the list. */
  label: string;
  rule: NewNotificationRule;
}

type Recipient = Pick<NotificationRule, 'channel' | 'roles' | 'memberIds' | 'endpoint'>;

/** Editors are first: owners and admins have a rule from the start, which can be added again. */
const ROLES: MemberRole[][] = [['editor'], ['owner', 'admin'], ['owner'], ['admin'], ['viewer']];

const isSame = (one: Recipient, other: Recipient): boolean =>
  one.channel === other.channel &&
  one.endpoint?.id === other.endpoint?.id &&
  one.memberIds.length === other.memberIds.length &&
  one.roles.length === other.roles.length &&
  one.roles.every((role) => other.roles.includes(role));

/** Rules that can be added, without those that exist. A new rule notifies of all alerts. */
export function ruleChoices(rules: NotificationRule[], webhooks: Webhook[]): RuleChoice[] {
  const nobody = { roles: [], memberIds: [], endpoint: null };
  const recipients: Recipient[] = [
    ...ROLES.map((roles): Recipient => ({ ...nobody, channel: 'mail', roles })),
    { ...nobody, channel: 'in_app' },
    ...webhooks.map(({ kind, id, name, isEnabled }): Recipient => ({
      ...nobody,
      channel: kind === 'slack' ? 'slack' : 'webhook',
      endpoint: { id, name, isEnabled },
    })),
  ];
  return recipients
    .filter((recipient) => !rules.some((rule) => isSame(rule, recipient)))
    .map(({ channel, roles, memberIds, endpoint }) => ({
      value: endpoint?.id ?? [channel, ...roles].join(':'),
      label: describeRule({ channel, roles, memberIds, endpoint }),
      rule: {
        channel,
        events: eventsFor(channel).filter((event) => event !== 'weekly.summary' && !event.startsWith('freshness.')),
        ...(roles.length > 0 && { roles }),
        ...(endpoint && { endpointId: endpoint.id }),
      },
    }));
}
