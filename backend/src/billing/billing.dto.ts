import { IsEmail, IsString, IsUUID, MaxLength } from 'class-validator';
import { MayBeMissing } from '../core/http/may-be-missing.decorator.js';

export const SUBSCRIPTION_STATUSES = [
  'none',
  'incomplete',
  'incomplete_expired',
  'trialing',
  'active',
  'past_due',
  'canceled',
  'unpaid',
  'paused',
] as const;
export type SubscriptionStatusName = (typeof SUBSCRIPTION_STATUSES)[number];

export class CreateCustomerBody {
  /** The caller's own e-mail; another one is refused. */
  @MayBeMissing()
  @IsEmail()
  @MaxLength(320)
  email?: string;

  /** An organization the caller owns. */
  @IsUUID()
  organizationId: string;

  /** The caller's own uid; another one is refused. */
  @MayBeMissing()
  @IsString()
  @MaxLength(128)
  userId?: string;
}

export class CustomerAnswer {
  /** The organization's one customer at Stripe. */
  customerId: string;
}

export class SessionValidityAnswer {
  /** Whether the checkout session is this organization's, and was completed. */
  isValid: boolean;
}

export class Plan {
  name: string;
  /** Price in minor units of the currency, such as cents. */
  amountMinor: number;
  /** ISO 4217. */
  currency: string;
  interval: 'day' | 'week' | 'month' | 'year';
}

/** The organization's own billing with us, as Stripe said last. */
export class Subscription {
  /** False where nobody pays: everything is open then. */
  isBilled: boolean;
  /** As Stripe names it; `none` before the first. */
  status: SubscriptionStatusName;
  /** What it opens: `grace` is past_due within 7 days, `closed` lets nothing run. */
  access: 'open' | 'grace' | 'closed';
  /** What is paid, or would be by the next checkout; null where nobody pays and while Stripe does not say. */
  plan: Plan | null;
  /** Free days that a checkout would begin with; during a trial, those it began with. */
  trialDays: number;
  trialEndsAt: string | null;
  /** When it ends, if it was cancelled; else when the next payment is due. */
  currentPeriodEnd: string | null;
  /** While past_due: until when it stays open. */
  graceEndsAt: string | null;
  /** Since when it is closed; null while it is not, and before it ever was open. */
  closedAt: string | null;
  /** Whether it was cancelled, and ends at `currentPeriodEnd`. */
  cancelAtPeriodEnd: boolean;
  /** Connections the plan holds; null: any number. */
  connectionLimit: number | null;
  /** Connections that are not deleted. */
  connectionsUsed: number;
  /** Active connections that wait because the subscription is closed. */
  connectionsWaiting: number;
  /** Whether Stripe knows the organization, so that there is a portal. */
  hasCustomer: boolean;
  /** When Stripe was last asked. */
  syncedAt: string | null;
}

export class Checkout {
  /** Where to send the browser. */
  url: string;
  /** The session at Stripe. */
  sessionId: string;
}

export class Portal {
  /** Where to send the browser; good for a few minutes. */
  url: string;
}

export class ConnectionsUsage {
  /** Connections that are not deleted. */
  used: number;
  /** What the plan holds; null: any number. */
  limit: number | null;
}

export class RowsOfDay {
  /** Day in the organization's time zone. */
  date: string;
  /** Rows written by the runs that ended on it. */
  rows: number;
}

export class Usage {
  connections: ConnectionsUsage;
  members: number;
  apps: number;
  sources: number;
  destinations: number;
  /** Rows written by the runs that ended this month, in the organization's time zone. */
  rowsThisMonth: number;
  /** The last 30 days, oldest first, today included. */
  rowsByDay: RowsOfDay[];
  /** Runs that ended this month, however they ended. */
  runsThisMonth: number;
}

export class WebhookAnswer {
  received: boolean;
}
