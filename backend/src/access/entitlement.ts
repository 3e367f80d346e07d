import type { Env } from '../core/config/env.js';

/** What an organization's subscription opens: everything, everything for a last few days, or nothing that is paid for. */
export const ACCESSES = ['open', 'grace', 'closed'] as const;
export type Access = (typeof ACCESSES)[number];

/**
 * The one rule of who may use what is paid for, as SQL over a row of `subscriptions` that may be missing. Grace ends by the
 * clock: no job has to run for it.
 */
export const accessSql = ({ BILLING }: Pick<Env, 'BILLING'>, row: string): string =>
  BILLING === 'none'
    ? `'open'::text`
    : `case when ${row}.status in ('trialing', 'active') then 'open'
            when ${row}.status = 'past_due' and ${row}.grace_ends_at > now() then 'grace'
            else 'closed' end`;

export const isBilled = ({ BILLING }: Pick<Env, 'BILLING'>): boolean => BILLING === 'stripe';
