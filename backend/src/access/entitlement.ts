import type { Env } from '../core/config/env.js';

/** Access by subscription: full access, full access in the grace period after a failed payment, or no access to paid features. */
export const ACCESSES = ['open', 'grace', 'closed'] as const;
export type Access = (typeof ACCESSES)[number];

/**
 * The rule for access to paid features, as SQL over a row of `subscriptions` that may be missing. The grace period ends by time
 * comparison, so no job has to end it.
 */
export const accessSql = ({ BILLING }: Pick<Env, 'BILLING'>, row: string): string =>
  BILLING === 'none'
    ? `'open'::text`
    : `case when ${row}.status in ('trialing', 'active') then 'open'
            when ${row}.status = 'past_due' and ${row}.grace_ends_at > now() then 'grace'
            else 'closed' end`;

export const isBilled = ({ BILLING }: Pick<Env, 'BILLING'>): boolean => BILLING === 'stripe';
