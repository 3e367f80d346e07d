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
  /** The caller's e-mail. Any other e-mail is rejected. */
  @MayBeMissing()
  @IsEmail()
  @MaxLength(320)
  email?: string;

  /** An organization the caller owns. */
  @IsUUID()
  organizationId: string;

  /** The caller's uid. Any other uid is rejected. */
  @MayBeMissing()
  @IsString()
  @MaxLength(128)
  userId?: string;
}

export class CustomerAnswer {
  /** The organization's Stripe customer. */
  customerId: string;
}

export class SessionValidityAnswer {
  /** Whether the checkout session belongs to this organization and was completed. */
  isValid: boolean;
}

export class Plan {
  name: string;
  /** Price in the smallest unit that Stripe uses, such as cents; null for a price without one amount, such as tiers. */
  amountMinor: number | null;
  /** Decimals of `amountMinor`. They differ from other lists for some currencies (ISK, UGX). */
  decimals: number;
  /** ISO 4217. */
  currency: string;
  interval: 'day' | 'week' | 'month' | 'year';
  /** Intervals between two payments: 3 with `month` is a quarter. */
  intervalCount: number;
}

/** The organization's subscription as of the last sync with Stripe. */
export class Subscription {
  /** False when billing is disabled. All features are then available. */
  isBilled: boolean;
  /** Stripe's status; `none` before the first subscription. */
  status: SubscriptionStatusName;
  /** Access to paid features: `grace` is past_due within 7 days; with `closed` nothing runs. */
  access: 'open' | 'grace' | 'closed';
  /** The current plan, or the plan of the next checkout; null without billing and while Stripe is unavailable. */
  plan: Plan | null;
  /** Trial days of a new checkout, or of the current trial. */
  trialDays: number;
  trialEndsAt: string | null;
  /** End of a canceled subscription, otherwise the date of the next payment. */
  currentPeriodEnd: string | null;
  /** End of the grace period; null unless past_due. */
  graceEndsAt: string | null;
  /** Time when access was closed; null while it is open and before the first subscription. */
  closedAt: string | null;
  /** Whether it is canceled and ends at `currentPeriodEnd`. */
  cancelAtPeriodEnd: boolean;
  /** Maximum number of connections; null for no limit. */
  connectionLimit: number | null;
  /** Connections that are not deleted. */
  connectionsUsed: number;
  /** Active connections that are paused because access is closed. */
  connectionsWaiting: number;
  /** Whether the organization has a Stripe customer, which the portal requires. */
  hasCustomer: boolean;
  /** Time of the last sync with Stripe. */
  syncedAt: string | null;
}

export class Checkout {
  /** URL of the checkout page. */
  url: string;
  /** Id of the Stripe session. */
  sessionId: string;
}

export class Portal {
  /** URL of the portal, valid for a short time. */
  url: string;
}

export class ConnectionsUsage {
  /** Connections that are not deleted. */
  used: number;
  /** Maximum of the plan; null for no limit. */
  limit: number | null;
}

export class RowsOfDay {
  /** Day in the organization's time zone. */
  date: string;
  /** Rows written by runs that ended on this day. */
  rows: number;
}

export class Usage {
  connections: ConnectionsUsage;
  members: number;
  apps: number;
  sources: number;
  destinations: number;
  /** Rows written by runs that ended this month, in the organization's time zone. */
  rowsThisMonth: number;
  /** The last 30 days including today, oldest first. */
  rowsByDay: RowsOfDay[];
  /** Runs that ended this month, in any state. */
  runsThisMonth: number;
}

export class WebhookAnswer {
  received: boolean;
}
