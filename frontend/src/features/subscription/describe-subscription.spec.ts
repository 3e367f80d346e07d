import { describe, expect, test } from 'vitest';
import type { Subscription } from '~/api/types';
import { actionsOf, contentsOf, nextChange, noticeOf, trialOf } from './describe-subscription';

const now = new Date('2026-11-20T12:00:00Z');

const subscription = (given: Partial<Subscription>): Subscription => ({
  isBilled: true,
  status: 'active',
  access: 'open',
  plan: { name: 'Growth', amountMinor: 29_000, decimals: 2, currency: 'EUR', interval: 'month', intervalCount: 1 },
  trialDays: 14,
  trialEndsAt: null,
  currentPeriodEnd: '2026-12-12T09:00:00Z',
  graceEndsAt: null,
  closedAt: null,
  cancelAtPeriodEnd: false,
  connectionLimit: 25,
  connectionsUsed: 3,
  connectionsWaiting: 0,
  hasCustomer: true,
  syncedAt: null,
  ...given,
});

const lapsed = (given: Partial<Subscription>) =>
  subscription({ access: 'closed', status: 'canceled', closedAt: '2026-11-15T09:00:00Z', connectionsWaiting: 3, ...given });
const never = (given: Partial<Subscription> = {}) =>
  subscription({ access: 'closed', status: 'none', plan: null, hasCustomer: false, currentPeriodEnd: null, ...given });

describe('status message', () => {
  test.each<[string, Subscription, string | null]>([
    ['an ended trial', lapsed({ trialEndsAt: '2026-11-15T09:00:00Z' }), 'The trial ended on Sun, Nov 15, so runs have stopped'],
    [
      'a trial that was paused at its end',
      lapsed({ status: 'paused', trialEndsAt: '2026-11-15T09:00:00Z' }),
      'The trial ended on Sun, Nov 15, so runs have stopped',
    ],
    ['a paused plan', lapsed({ status: 'paused' }), 'The subscription is paused, so runs stopped on Sun, Nov 15'],
    ['an ended plan', lapsed({}), 'The subscription ended on Sun, Nov 15, so runs have stopped'],
    ['an overdue payment', lapsed({ status: 'past_due' }), 'A payment is overdue, so runs stopped on Sun, Nov 15'],
    ['an unpaid plan', lapsed({ status: 'unpaid', closedAt: null }), 'A payment is overdue, so runs stopped'],
    ['no subscription yet', never(), 'A plan is required to load data'],
    ['an unfinished first payment', never({ status: 'incomplete' }), 'The first payment is not finished'],
    ['an expired first payment', never({ status: 'incomplete_expired' }), 'The first payment was not finished in time'],
    [
      'grace',
      subscription({ status: 'past_due', access: 'grace', graceEndsAt: '2026-11-25T09:00:00Z' }),
      'The last payment failed. Runs stop in 5 days, on Wed, Nov 25',
    ],
    ['a canceled plan', subscription({ cancelAtPeriodEnd: true }), 'Canceled: the plan ends on Dec 12'],
    ['an active plan', subscription({}), null],
    ['an instance without billing', subscription({ isBilled: false, status: 'none' }), null],
  ])('describes %s', (_name, given, title) => expect(noticeOf(given, now)?.title ?? null).toBe(title));

  test('shows that no data was deleted and the number of blocked connections', () => {
    expect(noticeOf(lapsed({}), now)?.text).toBe(
      'Nothing was deleted. Choose a plan to resume 3 connections. Missed days load automatically.',
    );
    expect(noticeOf(lapsed({ status: 'unpaid', connectionsWaiting: 1 }), now)?.text).toBe(
      'Nothing was deleted. Pay to resume 1 connection. Missed days load automatically.',
    );
    expect(noticeOf(never({ connectionsWaiting: 2 }), now)?.text).toContain('2 connections resume');
  });
});

describe('actions', () => {
  test.each<[string, Subscription, string, string]>([
    ['offers a trial for the first subscription', never(), 'checkout', 'Start free trial'],
    ['offers a plan without a trial', never({ trialDays: 0 }), 'checkout', 'Subscribe'],
    ['offers no second trial', lapsed({}), 'checkout', 'Subscribe'],
    ['opens the portal for an unpaid plan', lapsed({ status: 'unpaid' }), 'portal', 'Update payment'],
    ['opens the portal in the grace period', subscription({ status: 'past_due', access: 'grace' }), 'portal', 'Update payment'],
    ['opens the portal for an unfinished first payment', never({ status: 'incomplete' }), 'portal', 'Complete payment'],
    ['opens the portal for a paused subscription', lapsed({ status: 'paused' }), 'portal', 'Manage billing'],
    [
      'offers checkout after an expired first payment',
      never({ status: 'incomplete_expired', trialDays: 0 }),
      'checkout',
      'Subscribe',
    ],
    ['opens the portal for an active plan', subscription({}), 'portal', 'Manage billing'],
  ])('%s', (_name, given, kind, label) => expect(actionsOf(given).main).toMatchObject({ kind, label }));

  test('offers the portal in addition to checkout for former customers', () => {
    expect(actionsOf(lapsed({})).hasPortalButton).toBe(true);
    expect(actionsOf(never()).hasPortalButton).toBe(false);
  });
});

test('returns the next scheduled change', () => {
  expect(nextChange(subscription({}), now)?.label).toBe('Renews');
  expect(nextChange(subscription({ cancelAtPeriodEnd: true }), now)?.label).toBe('Ends');
  expect(nextChange(subscription({ status: 'trialing', trialEndsAt: '2026-11-30T09:00:00Z' }), now)).toEqual({
    label: 'First payment',
    at: '2026-11-30T09:00:00Z',
  });
  expect(nextChange(subscription({ access: 'grace', graceEndsAt: '2026-11-25T09:00:00Z' }), now)?.label).toBe('Runs stop');
  const endsAt = '2026-11-28T09:00:00Z';
  const cancelled = { trialEndsAt: '2026-11-30T09:00:00Z', cancelAtPeriodEnd: true, currentPeriodEnd: endsAt };
  expect(nextChange(subscription({ status: 'trialing', ...cancelled }), now)).toEqual({ label: 'Ends', at: endsAt });
  expect(nextChange(lapsed({}), now)).toBeNull();
});

test('counts trial days down to zero', () => {
  const trial = (trialEndsAt: string) => trialOf(subscription({ status: 'trialing', trialEndsAt }), now);
  expect(trial('2026-11-29T11:00:00Z')).toEqual({ left: 9, of: 14 });
  expect(trial('2026-11-19T11:00:00Z')).toEqual({ left: 0, of: 14 });
  expect(trial('2026-12-20T12:00:00Z')).toEqual({ left: 30, of: 30 });
  expect(trialOf(subscription({}), now)).toBeNull();
});

test('names the button that resumes a paused plan', () =>
  expect(noticeOf(lapsed({ status: 'paused' }), now)?.text).toContain('Use Manage billing to resume 3 connections.'));

test('describes a plan without a connection limit', () => {
  expect(contentsOf(subscription({}))[0]).toBe('25 connections');
  expect(contentsOf(subscription({ connectionLimit: null }))[0]).toBe('Unlimited connections');
});
