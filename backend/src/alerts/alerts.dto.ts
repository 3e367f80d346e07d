import { IsIn } from 'class-validator';
import type { AlertSubject } from '../generated/prisma/enums.js';
import { MayBeMissing } from '../core/http/may-be-missing.decorator.js';
import { PageQuery } from '../core/http/page.dto.js';
import { type AlertKind } from './alert-kinds.js';

export const ALERT_STATES = ['open', 'acknowledged', 'recovered'] as const;
export type AlertState = (typeof ALERT_STATES)[number];

export class AlertsQuery extends PageQuery {
  /** Only alerts in this state. */
  @MayBeMissing()
  @IsIn(ALERT_STATES)
  state?: AlertState;
}

/** What an alert is about. */
export class AlertSubjectEntry {
  type: AlertSubject;
  id: string;
  name: string;
  /** The payment that the connection belongs to, on whose page the alert is resolved; null for all others. */
  paymentId: string | null;
}

export class AlertEntry {
  id: string;
  kind: AlertKind;
  /** `open` until a user acknowledges it; `recovered` when it has ended. With `isClosed`, its cause has not ended. */
  state: AlertState;
  subject: AlertSubjectEntry;
  /** One line, such as `Google Ads of Northwind needs a new sign-in`. */
  title: string;
  /** Kind of the failure: auth, permission, quota, transient, config, schema, destination, data or internal. */
  class: string;
  /** Stable code of the last failure. */
  code: string;
  /** Cause of the last failure, as a sentence. */
  message: string;
  /** The action that resolves it. */
  action: string;
  openedAt: string;
  acknowledgedAt: string | null;
  /** Name of the user who acknowledged it. */
  acknowledgedBy: string | null;
  /** When it ended, with or without a recovery; null: it has not ended. */
  recoveredAt: string | null;
  /** It ended without a recovery: another alert replaced it, or its subject was changed, disconnected or deleted. Its title stays. */
  isClosed: boolean;
}

export class AlertCounts {
  open: number;
  acknowledged: number;
  /** Open alerts whose kind has an in-app rule: the number on the badge. */
  badge: number;
}

export class AlertPage {
  items: AlertEntry[];
  nextCursor: string | null;
  counts: AlertCounts;
}
