import type { AlertSubject } from '../generated/prisma/enums.js';

interface AlertKindInfo {
  subject: AlertSubject;
  /** Title of an alert that has not recovered, from the name of its subject. */
  title(name: string): string;
  /** Title of an alert whose cause has ended. */
  recovered(name: string): string;
}

/** Kinds of alerts. A kind is stable: rules and receivers of webhooks refer to it. */
export const ALERT_KINDS = {
  'connection.failing': {
    subject: 'connection',
    title: (name) => `${name} is failing`,
    recovered: (name) => `${name} works again`,
  },
  'connection.partial': {
    subject: 'connection',
    title: (name) => `${name} is only partly verified`,
    recovered: (name) => `${name} is fully verified again`,
  },
  'connection.late': {
    subject: 'connection',
    title: (name) => `${name} is late`,
    recovered: (name) => `${name} is complete again`,
  },
  'connection.pause_pending': {
    subject: 'connection',
    title: (name) => `${name} will be paused soon`,
    recovered: (name) => `${name} will not be paused`,
  },
  'connection.paused': {
    subject: 'connection',
    title: (name) => `${name} was paused automatically`,
    recovered: (name) => `${name} was resumed`,
  },
  'conversion.failing': {
    subject: 'conversion',
    title: (name) => `${name} is failing`,
    recovered: (name) => `${name} works again`,
  },
  'conversion.pause_pending': {
    subject: 'conversion',
    title: (name) => `${name} will be paused soon`,
    recovered: (name) => `${name} will not be paused`,
  },
  'conversion.paused': {
    subject: 'conversion',
    title: (name) => `${name} was paused automatically`,
    recovered: (name) => `${name} was resumed`,
  },
  'payment.webhook_missing': {
    subject: 'payment',
    title: (name) => `Webhooks of ${name} are missing`,
    recovered: (name) => `Webhooks of ${name} arrive again`,
  },
  'app.needs_reauth': {
    subject: 'app',
    title: (name) => `${name} needs a new sign-in`,
    recovered: (name) => `${name} is connected again`,
  },
  'destination.unreachable': {
    subject: 'destination',
    title: (name) => `${name} cannot be written to`,
    recovered: (name) => `${name} can be written to again`,
  },
  'webhook.disabled': {
    subject: 'webhook_endpoint',
    title: (name) => `The webhook ${name} was disabled`,
    recovered: (name) => `The webhook ${name} was enabled`,
  },
} as const satisfies Record<string, AlertKindInfo>;
export type AlertKind = keyof typeof ALERT_KINDS;

export const alertKinds = Object.keys(ALERT_KINDS) as [AlertKind, ...AlertKind[]];

/** The event of rules that send the weekly summary. */
export const WEEKLY_SUMMARY = 'weekly.summary';
/** Events of each day of a connection with a freshness target, for programs. People are notified by the alert `connection.late`. */
export const FRESHNESS_EVENTS = ['freshness.complete', 'freshness.late', 'freshness.recovered'] as const;
export type FreshnessEvent = (typeof FRESHNESS_EVENTS)[number];
export const ruleEvents = [...alertKinds, WEEKLY_SUMMARY, ...FRESHNESS_EVENTS] as const;
export type RuleEvent = (typeof ruleEvents)[number];

export const titleOf = (kind: AlertKind, name: string, isRecovered: boolean): string =>
  isRecovered ? ALERT_KINDS[kind].recovered(name) : ALERT_KINDS[kind].title(name);

/** Path of the page in the web app where a user resolves an alert. */
export function pathOf(organizationId: string, { type, id }: { type: AlertSubject; id: string }): string {
  const pages: Record<AlertSubject, string> = {
    connection: `connection/${id}/configuration`,
    app: `app/${id}`,
    destination: `destination/${id}/configuration`,
    webhook_endpoint: 'settings?tab=webhooks',
    conversion: `conversion/${id}/configuration`,
    payment: `payment/${id}/configuration`,
  };
  return `/${organizationId}/${pages[type]}`;
}
