import { describe, expect, test } from 'vitest';
import { formatAmounts, formatMinor } from './amounts';
import { PAYMENT_EVENTS, revenueWords, sortEvents } from './payment-events';
import {
  customerIdError,
  customerIdText,
  isPausedAutomatically,
  nextActionOf,
  paymentHealthOf,
  webhookStateOf,
  whyNothingSampled,
  whyNotRunPayment,
} from './payment-state';
import type { PaymentFacts } from './payment-state';
import { earlierAmount, uncertainText } from './recurring-revenue';

const at = (minute: number): string => `2026-11-20T10:${String(minute).padStart(2, '0')}:00.000Z`;
const webhook: PaymentFacts['webhook'] = {
  ...{ secretState: 'entered', secretEnteredAt: at(1), lastDeliveryAt: at(2), missingSince: null, missingEvents: 0 },
};
const payment: PaymentFacts = { desired: 'active', health: 'healthy', failure: null, webhook, destinations: [] };

describe('the sum of 30 days', () => {
  test('is net revenue if all events that move money are loaded', () => {
    const { label, note } = revenueWords(PAYMENT_EVENTS.slice(0, 6));
    expect([label, note]).toEqual(['Net revenue, 30 days', 'Verified, less refunds and disputes']);
  });

  test.each(PAYMENT_EVENTS.slice(0, 6))('is the sum of the loaded events without %s', (missing) => {
    const { label, note } = revenueWords(PAYMENT_EVENTS.filter((event) => event !== missing));
    expect([label, note]).toEqual(['Sum of the loaded events, 30 days', 'Verified']);
  });
});

describe('amounts', () => {
  test.each([
    [-2_000, 'EUR', 2, '−€20.00'],
    [3_000, 'JPY', 0, '¥3,000'],
    [12_340, 'KWD', 3, 'KWD 12.340'],
    // Stripe counts these with two decimals that are always 00.
    [500, 'UGX', 2, 'UGX 5.00'],
  ])('%i of %s with %i decimals', (amountMinor, currency, decimals, expected) =>
    expect(formatMinor({ amountMinor, currency, decimals }).replace('\u00a0', ' ')).toBe(expected),
  );

  test('of several currencies are listed and not added', () =>
    expect(
      formatAmounts([
        { currency: 'EUR', amountMinor: 100, decimals: 2 },
        { currency: 'USD', amountMinor: 200, decimals: 2 },
      ]),
    ).toBe('€1.00, $2.00'));
});

describe('the next action', () => {
  test.each([
    ['webhook_missing', null, 'check_webhook'],
    ['paused', { class: 'permission', code: 'postgresql.permission_denied' }, 'resume'],
    ['needs_reauth', null, 'enter_key'],
    ['failing', { class: 'permission', code: 'stripe.permission_missing' }, 'enter_key'],
    ['failing', { class: 'permission', code: 'postgresql.permission_denied' }, 'check_destination'],
    ['failing', { class: 'destination', code: 'postgresql.unreachable' }, 'check_destination'],
    ['failing', { class: 'config', code: 'stripe.http_400' }, 'check_settings'],
    ['failing', { class: 'data', code: 'stripe.row_repeated' }, 'run_again'],
    ['unverified', null, 'run_again'],
  ] as const)('of %s with %j is %s', (health, failure, expected) => expect(nextActionOf({ health, failure })).toBe(expected));
});

test('a run cannot start while paused, without a key, or while all destinations are loaded', () => {
  const loading = { health: 'backfilling' as const, activeRunId: 'r', pause: null };
  const stopped = { health: 'paused' as const, activeRunId: null, pause: { reason: 'failures' } };
  expect(whyNotRunPayment({ ...payment, desired: 'paused' })).toBe('Paused. Resume it first');
  expect(whyNotRunPayment({ ...payment, health: 'needs_reauth' })).toBe('Enter a valid key first');
  expect(whyNotRunPayment({ ...payment, destinations: [loading] })).toBe('A run is in progress');
  expect(whyNotRunPayment({ ...payment, destinations: [loading, { ...loading, activeRunId: null }] })).toBeNull();
  expect(whyNotRunPayment({ ...payment, destinations: [stopped] })).toBe('Paused. Resume it first');
  expect(whyNotRunPayment({ ...payment, destinations: [stopped, loading] })).toBe('A run is in progress');
  expect(paymentHealthOf({ desired: 'paused', health: 'failing' })).toBe('paused');
});

test('an active payment shows a destination that was paused automatically, and nothing without a subscription', () => {
  const stopped = { health: 'paused' as const, activeRunId: null, pause: { reason: 'failures' } };
  const paused = { ...payment, health: 'paused' as const };
  expect(isPausedAutomatically({ ...paused, destinations: [stopped] })).toBe(true);
  expect(isPausedAutomatically({ ...paused, desired: 'paused', destinations: [stopped] })).toBe(false);
  expect(isPausedAutomatically({ ...paused, destinations: [{ ...stopped, pause: null }] })).toBe(false);
});

describe('a sample without events', () => {
  const loaded = {
    ...{ name: 'Warehouse', health: 'healthy' as const, healthReason: 'Every row verified' },
    ...{ completeThrough: '2026-11-19', activeRunId: null },
  };
  const failing = {
    ...loaded,
    name: 'Archive',
    health: 'failing' as const,
    healthReason: '3 runs failed in a row',
    completeThrough: null,
  };

  test('names the destination that has no verified day', () =>
    expect(whyNothingSampled({ destinations: [loaded, failing] })).toBe(
      'Not every destination has a verified day yet. Archive: 3 runs failed in a row.',
    ));

  test('waits for the first run only while it is in progress', () => {
    const first = { ...failing, health: 'backfilling' as const, activeRunId: 'r' };
    expect(whyNothingSampled({ destinations: [first] })).toBe('Nothing is loaded yet. The first run is in progress.');
    expect(whyNothingSampled({ destinations: [loaded] })).toBe('Not every destination has a verified day yet.');
  });
});

describe('the webhook', () => {
  test.each<[Partial<PaymentFacts['webhook']>, string]>([
    [{ secretState: 'missing', secretEnteredAt: null, lastDeliveryAt: null }, 'no_secret'],
    [{ lastDeliveryAt: null }, 'no_delivery'],
    [{ secretEnteredAt: at(5) }, 'no_delivery'],
    [{ missingSince: at(3) }, 'missing'],
    [{ missingSince: at(1) }, 'works'],
    [{}, 'works'],
  ])('with %j is %s', (part, expected) => expect(webhookStateOf({ ...webhook, ...part })).toBe(expected));
});

test('names customer IDs, and rejects metadata keys that Stripe does not have', () => {
  expect(['stripe_id', 'email', 'metadata:crm_id'].map(customerIdText)).toEqual(['Stripe ID', 'Email', 'Metadata: crm_id']);
  expect(['email', 'metadata:crm_id'].map(customerIdError)).toEqual([null, null]);
  expect(['metadata:', 'metadata:a[b]', 'metadata:a b'].map(customerIdError)).not.toContain(null);
});

test('sorts events', () => expect(sortEvents(['trial_ended', 'payment_received'])).toEqual(['payment_received', 'trial_ended']));

describe('recurring revenue', () => {
  const day = (name: string, definitionVersion: number, amountMinor: number) => ({
    ...{ day: name, definitionVersion, currencies: [{ currency: 'EUR', amountMinor }] },
  });

  test('is compared only with a day of the same version', () => {
    const history = [day('2026-11-01', 1, 900), day('2026-11-05', 2, 950), day('2026-11-20', 2, 1_000)];
    expect(earlierAmount(history, 'EUR', 2)).toEqual({ day: '2026-11-05', amountMinor: 950 });
    expect(earlierAmount(history, 'USD', 2)).toEqual({ day: '2026-11-05', amountMinor: 0 });
    expect(earlierAmount(history.slice(2), 'EUR', 2)).toBeNull();
  });

  test('says why an amount may be too high', () =>
    expect(uncertainText({ reason: 'discount_unknown', count: 1 })).toContain('1 subscription with a discount'));
});
