import type { AccountIdentity } from './account.ts';
import { decimalsOf } from './currencies.ts';
import { randomSteps, specialSteps } from './history.ts';
import type { StepFields } from './step-input.ts';

export interface RestrictedKey {
  key: string;
  accountId: string;
  rights: string[];
  isExpired: boolean;
}

export const readRights = [
  ...['rak_accounts_kyc_basic_read', 'rak_balance_transaction_source_read', 'rak_charge_read', 'rak_coupon_read'],
  ...['rak_customer_read', 'rak_dispute_read', 'rak_event_read', 'rak_invoice_read', 'rak_payment_intent_read'],
  ...['rak_payout_read', 'rak_plan_read', 'rak_product_read', 'rak_subscription_read'],
];
export const allRights = [...readRights, 'rak_webhook_write'];

const historyDays = 60;
const daySeconds = 86_400;

interface Seed {
  identity: AccountIdentity;
  seed: number;
}

const seedOf = (code: string, name: string, country: string, isLive: boolean, seed: number): Seed => ({
  identity: { id: `acct_northwind${code}`, name, country, currency: code, isLive },
  seed,
});

/** Accounts that exist in every sandbox. */
export const seeds: ReadonlyMap<string, Seed> = new Map(
  [
    seedOf('eur', 'Northwind Europe', 'DE', false, 1),
    seedOf('usd', 'Northwind America', 'US', true, 2),
    seedOf('jpy', 'Northwind Japan', 'JP', false, 3),
    seedOf('kwd', 'Northwind Kuwait', 'KW', false, 4),
    seedOf('ugx', 'Northwind Uganda', 'UG', false, 5),
    seedOf('isk', 'Northwind Iceland', 'IS', false, 6),
  ].map((seed) => [seed.identity.id, seed]),
);

const mode = ({ isLive }: AccountIdentity): string => (isLive ? 'live' : 'test');

export const seededKeys: RestrictedKey[] = [
  ...[...seeds.values()].map(({ identity }) => ({
    key: `rk_${mode(identity)}_northwind_${identity.currency}`,
    ...{ accountId: identity.id, rights: allRights, isExpired: false },
  })),
  ...(
    [
      ['rk_test_northwind_eur_charges', ['rak_charge_read'], false],
      ['rk_test_northwind_eur_readonly', readRights, false],
      ['rk_test_northwind_eur_expired', allRights, true],
    ] as [string, string[], boolean][]
  ).map(([key, rights, isExpired]) => ({ key, accountId: 'acct_northwindeur', rights, isExpired })),
];

/** The history of a seeded account in the 60 days before a moment: random, and one of every special case. */
export function seededSteps({ identity, seed }: Seed, until: number): StepFields[] {
  const { currency } = identity;
  const from = until - historyDays * daySeconds;
  const random = randomSteps({ seed, steps: 120, currency, from, to: until });
  const more = currency === 'eur' ? [...foreignSteps(until), ...planSteps(until)] : [];
  return [...random, ...specialSteps(currency, until), ...more].sort((left, right) => Number(left.at) - Number(right.at));
}

/** Payments in other currencies than the account's. */
function foreignSteps(until: number): StepFields[] {
  const at = (daysAgo: number): number => until - daysAgo * daySeconds;
  const buyer = { email: 'abroad@special.example' };
  return [
    { type: 'payment', ref: 'in-usd', amount: 12_345, currency: 'usd', exchangeRate: 0.92, at: at(18), ...buyer },
    { type: 'refund', payment: 'in-usd', amount: 2_345, at: at(7) },
    // The rate converts amounts of the API: 5,000 yen to 30.50 euros.
    { type: 'payment', ref: 'in-jpy', amount: 5_000, currency: 'jpy', exchangeRate: 0.61, at: at(11), ...buyer },
    { type: 'payment', ref: 'in-kwd', amount: 12_340, currency: 'kwd', exchangeRate: 0.302, at: at(8), ...buyer },
    { type: 'dispute', payment: 'in-kwd', at: at(3) },
  ];
}

/** Subscriptions that recurring revenue must treat differently. */
function planSteps(until: number): StepFields[] {
  const at = (daysAgo: number): number => until - daysAgo * daySeconds;
  const unit = 10 ** decimalsOf('eur');
  const start = (ref: string, daysAgo: number, item: StepFields, more: StepFields = {}): StepFields => ({
    ...{ type: 'subscription', ref, email: `${ref}@special.example`, at: at(daysAgo) },
    items: [{ amount: 10 * unit, ...item }],
    ...more,
  });
  return [
    start('every-two-weeks', 28, { interval: 'week', intervalCount: 2 }),
    start('yearly-with-seats', 28, { interval: 'year', amount: 120 * unit, quantity: 3 }),
    start('metered', 27, { isMetered: true }),
    start('tiered', 27, { isTiered: true }),
    start('with-tax', 26, { isTaxInclusive: true }),
    start('discounted-forever', 26, {}, { discounts: [{ percentOff: 25 }] }),
    start(
      'discounted-twice',
      26,
      {},
      {
        discounts: [
          { amountOff: 2 * unit, months: 3 },
          { percentOff: 10, months: 1 },
        ],
      },
    ),
    start('trial', 5, {}, { trialDays: 14 }),
    start('first-payment-failed', 4, {}, { isDeclined: true }),
    start('paused', 25, {}),
    { type: 'change-subscription', subscription: 'paused', isPaused: true, at: at(6) },
    start('canceled', 25, {}),
    { type: 'cancel-subscription', subscription: 'canceled', at: at(6) },
    start('ending', 25, {}),
    { type: 'cancel-subscription', subscription: 'ending', atPeriodEnd: true, at: at(6) },
    start('unpaid', 25, {}),
    { type: 'change-subscription', subscription: 'unpaid', status: 'unpaid', at: at(6) },
  ];
}
