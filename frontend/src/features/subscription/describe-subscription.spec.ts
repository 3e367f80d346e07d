import { describe, expect, test } from 'vitest';
import type { Subscription } from '~/api/types';
import { actionsOf, contentsOf, nextChange, standingOf, trialOf } from './describe-subscription';

const now = new Date('2026-11-20T12:00:00Z');

const subscription = (given: Partial<Subscription>): Subscription => ({
  isBilled: true,
  status: 'active',
  access: 'open',
  plan: { name: 'Growth', amountMinor: 29_000, currency: 'eur', interval: 'month' },
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

describe('what is said about it', () => {
  test.each<[string, Subscription, string | null]>([
    [
      'a trial that ran out',
      lapsed({ trialEndsAt: '2026-11-15T09:00:00Z' }),
      'The trial ended on Sun, Nov 15, so syncs have stopped',
    ],
    ['a plan that ended', lapsed({}), 'The subscription ended on Sun, Nov 15, so syncs have stopped'],
    ['an overdue payment', lapsed({ status: 'past_due' }), 'A payment is overdue, so syncs stopped on Sun, Nov 15'],
    ['unpaid', lapsed({ status: 'unpaid', closedAt: null }), 'A payment is overdue, so syncs stopped'],
    ['never subscribed', never(), 'A plan is needed to load data'],
    ['an unfinished first payment', never({ status: 'incomplete' }), 'The first payment is not finished'],
    ['one that ran out', never({ status: 'incomplete_expired' }), 'The first payment was not finished in time'],
    [
      'grace',
      subscription({ status: 'past_due', access: 'grace', graceEndsAt: '2026-11-25T09:00:00Z' }),
      'The last payment failed; syncs stop in 5 days, on Wed, Nov 25',
    ],
    ['cancelled', subscription({ cancelAtPeriodEnd: true }), 'Cancelled: the plan ends on Dec 12'],
    ['in force', subscription({}), null],
    ['no billing here', subscription({ isBilled: false, status: 'none' }), null],
  ])('%s', (_name, given, title) => expect(standingOf(given, now)?.title ?? null).toBe(title));

  test('a lapse says that nothing is gone, and how many wait', () => {
    expect(standingOf(lapsed({}), now)?.text).toBe(
      'Nothing was deleted. Once there is a plan, 3 connections load their missed days by themselves.',
    );
    expect(standingOf(lapsed({ status: 'unpaid', connectionsWaiting: 1 }), now)?.text).toBe(
      'Nothing was deleted. Once the payment is made, 1 connection loads its missed days by itself.',
    );
    expect(standingOf(never({ connectionsWaiting: 2 }), now)?.text).toContain('2 connections wait');
  });
});

describe('what can be done', () => {
  test.each<[string, Subscription, string, string]>([
    ['the first time there is a trial', never(), 'checkout', 'Start free trial'],
    ['without one it is a plan', never({ trialDays: 0 }), 'checkout', 'Subscribe'],
    ['a second time there is none', lapsed({}), 'checkout', 'Subscribe'],
    ['what is owed is paid at Stripe', lapsed({ status: 'unpaid' }), 'portal', 'Update payment'],
    ['also while there is grace', subscription({ status: 'past_due', access: 'grace' }), 'portal', 'Update payment'],
    ['a first payment that is not finished is finished there', never({ status: 'incomplete' }), 'portal', 'Finish the payment'],
    ['one that is paused goes on there', lapsed({ status: 'paused' }), 'portal', 'Manage billing'],
    ['after a first payment that ran out', never({ status: 'incomplete_expired', trialDays: 0 }), 'checkout', 'Subscribe'],
    ['one in force is managed', subscription({}), 'portal', 'Manage billing'],
  ])('%s', (_name, given, kind, label) => expect(actionsOf(given).main).toMatchObject({ kind, label }));

  test('who has paid before reaches their invoices beside the new plan', () => {
    expect(actionsOf(lapsed({})).hasPortalBeside).toBe(true);
    expect(actionsOf(never()).hasPortalBeside).toBe(false);
  });
});

test('what comes next by itself', () => {
  expect(nextChange(subscription({}), now)?.label).toBe('Renews');
  expect(nextChange(subscription({ cancelAtPeriodEnd: true }), now)?.label).toBe('Ends');
  expect(nextChange(subscription({ status: 'trialing', trialEndsAt: '2026-11-30T09:00:00Z' }), now)).toEqual({
    label: 'First payment',
    at: '2026-11-30T09:00:00Z',
  });
  expect(nextChange(subscription({ access: 'grace', graceEndsAt: '2026-11-25T09:00:00Z' }), now)?.label).toBe('Syncs stop');
  const endsAt = '2026-11-28T09:00:00Z';
  const cancelled = { trialEndsAt: '2026-11-30T09:00:00Z', cancelAtPeriodEnd: true, currentPeriodEnd: endsAt };
  expect(nextChange(subscription({ status: 'trialing', ...cancelled }), now)).toEqual({ label: 'Ends', at: endsAt });
  expect(nextChange(lapsed({}), now)).toBeNull();
});

test('a trial counts down and never below zero', () => {
  const trial = (trialEndsAt: string) => trialOf(subscription({ status: 'trialing', trialEndsAt }), now);
  expect(trial('2026-11-29T11:00:00Z')).toEqual({ left: 9, of: 14 });
  expect(trial('2026-11-19T11:00:00Z')).toEqual({ left: 0, of: 14 });
  expect(trial('2026-12-20T12:00:00Z')).toEqual({ left: 30, of: 30 });
  expect(trialOf(subscription({}), now)).toBeNull();
});

test('no limit is said as one', () => {
  expect(contentsOf(subscription({}))[0]).toBe('25 connections');
  expect(contentsOf(subscription({ connectionLimit: null }))[0]).toBe('As many connections as you need');
});
