import type { MemberRole, NotificationRule, RuleEvent } from '~/api/types';

export const eventWords: Record<RuleEvent, string> = {
  'connection.failing': 'A connection fails',
  'connection.partial': 'A connection is only partly verified',
  'connection.late': 'A connection is late',
  'connection.pause_pending': 'A connection will be paused soon',
  'connection.paused': 'A connection was paused automatically',
  'conversion.failing': 'A conversion fails',
  'conversion.pause_pending': 'A conversion will be paused soon',
  'conversion.paused': 'A conversion was paused automatically',
  'app.needs_reauth': 'An app needs a new sign-in',
  'destination.unreachable': 'A destination cannot be written to',
  'payment.webhook_missing': 'Webhooks of a payment are missing',
  'webhook.disabled': 'A webhook was disabled',
  'weekly.summary': 'Weekly summary, Monday at 8:00',
  'freshness.complete': 'Freshness: a day is complete',
  'freshness.late': 'Freshness: a day is late',
  'freshness.recovered': 'Freshness: a late day is complete',
};
const ruleEvents = Object.keys(eventWords) as RuleEvent[];

/** The server sends events of freshness to programs only. The weekly summary is not shown in the app. */
export const eventsFor = (channel: NotificationRule['channel']): RuleEvent[] =>
  ruleEvents.filter(
    (event) =>
      (channel !== 'in_app' || event !== 'weekly.summary') &&
      (channel === 'webhook' || channel === 'slack' || !event.startsWith('freshness.')),
  );

const roleNames: Record<MemberRole, string> = { viewer: 'viewers', editor: 'editors', admin: 'admins', owner: 'owners' };

const listOf = (words: string[]): string => new Intl.ListFormat('en').format(words);

/** `Mail to owners and admins` */
export function describeRule({
  channel,
  roles,
  memberIds,
  endpoint,
}: Pick<NotificationRule, 'channel' | 'roles' | 'memberIds' | 'endpoint'>): string {
  if (channel === 'in_app') return 'In the app';
  if (channel === 'webhook') return `Webhook ${endpoint?.name ?? ''}`;
  if (channel === 'slack') return `Slack ${endpoint?.name ?? ''}`;
  const people = memberIds.length === 0 ? [] : [`${memberIds.length} ${memberIds.length === 1 ? 'member' : 'members'}`];
  return `Mail to ${listOf([...roles.map((role) => roleNames[role]), ...people])}`;
}
