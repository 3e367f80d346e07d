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

describe('subscription banner', () => {
  test.each<[string, Subscription, string | null, string | null]>([
    [
      'closed after an overdue payment',
      lapsed({ status: 'past_due', closedAt: null, graceEndsAt: inDays(-2) }),
      'Runs stopped on Wed, Nov 18, because a payment is overdue. No data was deleted.',
      'Update payment',
    ],
    [
      'an ended plan',
      lapsed({ status: 'canceled', closedAt: null }),
      'Runs stopped, because there is no plan. No data was deleted.',
      'Choose a plan',
    ],
    [
      'a paused plan',
      lapsed({ status: 'paused' }),
      'Runs stopped on Wed, Nov 18, because the subscription is paused. No data was deleted.',
      'Manage billing',
    ],
    ['never subscribed', subscription({ status: 'none', access: 'closed' }), 'A plan is required to load data.', 'Choose a plan'],
    ['grace period', overdue(inDays(5)), 'The last payment failed. 5 days left: runs stop on Wed, Nov 25.', 'Update payment'],
    [
      'grace period until tomorrow',
      overdue(inDays(1)),
      'The last payment failed. 1 day left: runs stop on Sat, Nov 21.',
      'Update payment',
    ],
    [
      'last day of the grace period',
      overdue('2026-11-20T18:00:00Z'),
      'The last payment failed. Runs stop today.',
      'Update payment',
    ],
    ['a trial with 3 days left', trial(inDays(3)), 'The trial ends in 3 days, Mon, Nov 23.', 'See the plan'],
    ['a trial with 4 days left', trial(inDays(4)), null, null],
    ['an ended trial that is still open', trial(inDays(-1)), null, null],
    [
      'a canceled trial',
      trial(inDays(1), { cancelAtPeriodEnd: true }),
      'The plan ends tomorrow, Sat, Nov 21. Runs stop then.',
      'Keep the plan',
    ],
    ['a plan canceled for a later date', subscription({ cancelAtPeriodEnd: true }), null, null],
    ['an active plan', subscription({}), null, null],
    ['an instance without billing', lapsed({ isBilled: false }), null, null],
  ])('%s', (_name, given, text, action) => {
    const banner = bannerOf(given, now);
    expect([banner?.text ?? null, banner?.action ?? null]).toEqual([text, action]);
  });
});
