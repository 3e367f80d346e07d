import { describe, expect, test } from 'vitest';
import type { Subscription } from '~/api/types';
import { bannerOf } from './subscription-banner';

const now = new Date('2026-11-20T12:00:00Z');
const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000).toISOString();

const subscription = (given: Partial<Subscription>): Subscription => ({
  isBilled: true,
  status: 'active',
  access: 'open',
  plan: null,
  trialDays: 14,
  trialEndsAt: null,
  currentPeriodEnd: inDays(20),
  graceEndsAt: null,
  closedAt: null,
  cancelAtPeriodEnd: false,
  connectionLimit: null,
  connectionsUsed: 0,
  connectionsWaiting: 0,
  hasCustomer: true,
  syncedAt: null,
  ...given,
});
const trial = (trialEndsAt: string, given: Partial<Subscription> = {}) =>
  subscription({ status: 'trialing', trialEndsAt, currentPeriodEnd: trialEndsAt, ...given });
const overdue = (graceEndsAt: string) => subscription({ status: 'past_due', access: 'grace', graceEndsAt });
const lapsed = (given: Partial<Subscription>) => subscription({ access: 'closed', closedAt: inDays(-2), ...given });

describe('the banner', () => {
  test.each<[string, Subscription, string | null, string | null]>([
    [
      'an overdue payment that has closed it',
      lapsed({ status: 'past_due', closedAt: null, graceEndsAt: inDays(-2) }),
      'Syncs stopped on Wed, Nov 18, because a payment is overdue. Nothing was deleted; runs and new connections wait.',
      'Update payment',
    ],
    [
      'a plan that has ended',
      lapsed({ status: 'canceled', closedAt: null }),
      'Syncs stopped, because there is no plan. Nothing was deleted; runs and new connections wait.',
      'Choose a plan',
    ],
    ['never subscribed', subscription({ status: 'none', access: 'closed' }), 'A plan is needed to load data.', 'Choose a plan'],
    ['grace', overdue(inDays(5)), 'The last payment failed. 5 days left: syncs stop on Wed, Nov 25.', 'Update payment'],
    [
      'grace until tomorrow',
      overdue(inDays(1)),
      'The last payment failed. 1 day left: syncs stop on Sat, Nov 21.',
      'Update payment',
    ],
    ['its last day', overdue('2026-11-20T18:00:00Z'), 'The last payment failed. Syncs stop today.', 'Update payment'],
    ['a trial with three days', trial(inDays(3)), 'The trial ends in 3 days, Mon, Nov 23.', 'See the plan'],
    ['a trial with four', trial(inDays(4)), null, null],
    ['one that has run out and is not settled yet', trial(inDays(-1)), null, null],
    [
      'one that was cancelled',
      trial(inDays(1), { cancelAtPeriodEnd: true }),
      'The plan ends tomorrow, Sat, Nov 21; syncs stop then.',
      'Keep the plan',
    ],
    ['a plan cancelled for later', subscription({ cancelAtPeriodEnd: true }), null, null],
    ['in force', subscription({}), null, null],
    ['no billing here', lapsed({ isBilled: false }), null, null],
  ])('%s', (_name, given, text, action) => {
    const banner = bannerOf(given, now);
    expect([banner?.text ?? null, banner?.action ?? null]).toEqual([text, action]);
  });
});
