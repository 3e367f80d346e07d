import { InvalidFault } from '../../faults.ts';
import type { PaymentAccount } from './account.ts';
import { addCustomer, type DiscountRequest } from './catalog.ts';
import { cancelPayment, capture, methods, pay, returnDebit, settle } from './charges.ts';
import { changeDispute, openDispute } from './disputes.ts';
import { addInvoice, endInvoice, payInvoice } from './invoices.ts';
import { disputeStatuses, refundStatuses, type Customer } from './objects.ts';
import { addFee, addPayout, failPayout, feeTypes } from './payouts.ts';
import { changeRefund, refundCharge } from './refunds.ts';
import { StepInput, type StepFields } from './step-input.ts';
import { cancelSubscription, renew, reviseSubscription, startSubscription, type ItemRequest } from './subscriptions.ts';
import type { Row } from './table.ts';

interface StepKind {
  fields: string[];
  /** Returns the object that later steps can name, or null. */
  apply(input: StepInput): Row | null;
}

const always = ['type', 'ref', 'at', 'daysAgo'];
const money = ['amount', 'currency', 'exchangeRate'];
const intervals = ['day', 'week', 'month', 'year'] as const;

/** Everything that can happen in an account, by the type of the step. */
const kinds: Record<string, StepKind> = {
  customer: {
    fields: ['email', 'name', 'metadata'],
    apply: (input) =>
      addCustomer(input.account, {
        ...{ email: input.text('email'), name: input.text('name'), metadata: input.metadata(), at: input.at },
      }),
  },
  payment: {
    fields: [
      ...money,
      'customer',
      'email',
      'description',
      'metadata',
      'method',
      'failedTries',
      'isDeclined',
      'isManual',
      'isBalanceLate',
    ],
    apply: makePayment,
  },
  settle: { fields: ['payment'], apply: (input) => on(input.charge(), (charge) => settle(input.account, charge, input.at)) },
  capture: {
    fields: ['payment', 'amount'],
    apply: (input) =>
      on(input.charge(), (charge) => capture(input.account, charge, input.amount(charge.currency, charge.amount), input.at)),
  },
  'cancel-payment': {
    fields: ['payment'],
    apply: (input) => on(input.charge(), (charge) => cancelPayment(input.account, charge, input.at)),
  },
  'return-debit': {
    fields: ['payment'],
    apply: (input) => on(input.charge(), (charge) => returnDebit(input.account, charge, input.at)),
  },
  refund: {
    fields: ['payment', 'amount', 'status', 'reason'],
    apply: (input) => {
      const charge = input.charge();
      const amount = input.amount(charge.currency, charge.amount - charge.amount_refunded);
      const status = input.choice('status', refundStatuses, 'succeeded');
      return refundCharge(input.account, charge, { amount, at: input.at, status, reason: input.text('reason') });
    },
  },
  'change-refund': {
    fields: ['refund', 'status'],
    apply: (input) =>
      on(input.row('refund', input.account.refunds), (refund) =>
        changeRefund(input.account, refund, input.choice('status', refundStatuses), input.at),
      ),
  },
  dispute: {
    fields: ['payment', 'amount', 'status', 'reason'],
    apply: (input) => {
      const charge = input.charge();
      const amount = input.amount(charge.currency, charge.amount_captured);
      const status = input.choice('status', disputeStatuses, 'needs_response');
      return openDispute(input.account, charge, { amount, at: input.at, status, reason: input.text('reason') ?? 'fraudulent' });
    },
  },
  'change-dispute': {
    fields: ['dispute', 'status'],
    apply: (input) =>
      on(input.row('dispute', input.account.disputes), (dispute) =>
        changeDispute(input.account, dispute, input.choice('status', disputeStatuses), input.at),
      ),
  },
  subscription: {
    fields: ['customer', 'email', 'currency', 'exchangeRate', 'items', 'trialDays', 'discounts', 'isDeclined', 'backdatedDays'],
    apply: makeSubscription,
  },
  renew: {
    fields: ['subscription', 'isDeclined', 'exchangeRate'],
    apply: (input) =>
      on(input.row('subscription', input.account.subscriptions), (subscription) =>
        renew(input.account, subscription, { at: input.at, isDeclined: input.flag('isDeclined'), exchangeRate: input.rate() }),
      ),
  },
  'change-subscription': {
    fields: ['subscription', 'quantity', 'amount', 'status', 'isPaused'],
    apply: (input) =>
      on(input.row('subscription', input.account.subscriptions), (subscription) => {
        const amount = input.optionalInteger('amount') === undefined ? undefined : input.amount(subscription.currency);
        const status = input.text('status') ?? undefined;
        const changes = { quantity: input.optionalInteger('quantity'), amount, status, isPaused: input.optionalFlag('isPaused') };
        reviseSubscription(input.account, subscription, changes, input.at);
      }),
  },
  'cancel-subscription': {
    fields: ['subscription', 'atPeriodEnd'],
    apply: (input) =>
      on(input.row('subscription', input.account.subscriptions), (subscription) =>
        cancelSubscription(input.account, subscription, input.flag('atPeriodEnd'), input.at),
      ),
  },
  invoice: { fields: [...money, 'customer', 'email', 'credit', 'isDraft'], apply: makeInvoice },
  'pay-invoice': {
    fields: ['invoice', 'paidOutside', 'failedTries', 'isDeclined', 'exchangeRate'],
    apply: (input) =>
      on(input.row('invoice', input.account.invoices), (invoice) => {
        const paidOutside = input.amount(invoice.currency, 0, 'paidOutside');
        const outcome = { failedTries: input.integer('failedTries', 0), isDeclined: input.flag('isDeclined') };
        payInvoice(input.account, invoice, { at: input.at, paidOutside, ...outcome, exchangeRate: input.rate() });
      }),
  },
  'end-invoice': {
    fields: ['invoice', 'status'],
    apply: (input) =>
      on(input.row('invoice', input.account.invoices), (invoice) =>
        endInvoice(input.account, invoice, input.choice('status', ['void', 'uncollectible'] as const), input.at),
      ),
  },
  'settle-in': {
    fields: ['currency', 'isDefault'],
    apply: (input) => {
      settleIn(input.account, input.text('currency') ?? '', input.flag('isDefault'));
      return null;
    },
  },
  payout: {
    fields: ['amount'],
    apply: (input) => addPayout(input.account, input.amount(input.account.identity.currency), input.at),
  },
  'fail-payout': {
    fields: ['payout'],
    apply: (input) => on(input.row('payout', input.account.payouts), (payout) => failPayout(input.account, payout, input.at)),
  },
  fee: {
    fields: ['kind', 'amount'],
    apply: (input) => {
      const kind = input.choice('kind', Object.keys(feeTypes) as (keyof typeof feeTypes)[], 'stripe_fee');
      addFee(input.account, kind, input.amount(input.account.identity.currency), input.at);
      return null;
    },
  },
};

/** Lets one step happen. Returns its object, whose id later steps can name by the step's `ref`. */
export function applyStep(account: PaymentAccount, fields: StepFields, place: number): Row | null {
  const kind = typeof fields.type === 'string' && Object.hasOwn(kinds, fields.type) ? kinds[fields.type] : undefined;
  if (!kind) throw new InvalidFault(`Step ${place} has the unknown type ${String(fields.type)}`, { known: Object.keys(kinds) });
  const input = new StepInput(account, fields, `Step ${place} (${String(fields.type)})`);
  input.refuseOthersThan([...always, ...kind.fields]);
  const row = kind.apply(input);
  const ref = input.text('ref');
  if (ref !== null && row) account.refs.set(ref, row.id);
  return row;
}

/** The owner adds a bank account in a currency. The default currency can be changed. */
function settleIn({ identity, settlementCurrencies }: PaymentAccount, currency: string, isDefault: boolean): void {
  if (!/^[a-z]{3}$/.test(currency)) throw new InvalidFault('A settlement currency has three small letters');
  settlementCurrencies.add(currency);
  if (!isDefault) return;
  settlementCurrencies.add(identity.currency);
  identity.currency = currency;
}

function on<T extends Row>(row: T, change: (row: T) => void): T {
  change(row);
  return row;
}

function makePayment(input: StepInput): Row {
  const currency = input.currency();
  const customer = input.id('customer') === null ? null : input.row('customer', input.account.customers);
  return pay(input.account, {
    ...{ at: input.at, amount: input.amount(currency), currency, exchangeRate: input.rate(), metadata: input.metadata() },
    ...{ customer: customer?.id ?? null, email: input.text('email') ?? customer?.email ?? null },
    ...{ description: input.text('description'), method: input.choice('method', methods, 'card') },
    ...{ failedTries: input.integer('failedTries', 0), isDeclined: input.flag('isDeclined') },
    ...{ isManual: input.flag('isManual'), isBalanceLate: input.flag('isBalanceLate') },
  });
}

/** The named customer, or a new one. */
function customerOf(input: StepInput): Customer {
  if (input.id('customer') !== null) return input.row('customer', input.account.customers);
  return addCustomer(input.account, { email: input.text('email'), name: null, metadata: {}, at: input.at });
}

function makeSubscription(input: StepInput): Row {
  const currency = input.currency();
  return startSubscription(input.account, {
    ...{ at: input.at, customer: customerOf(input), currency, trialDays: input.integer('trialDays', 0) },
    ...{ isDeclined: input.flag('isDeclined'), exchangeRate: input.rate(), backdatedDays: input.integer('backdatedDays', 0) },
    items: input.list('items').map((fields) => readItem(input, fields, currency)),
    discounts: input.list('discounts').map((fields) => readDiscount(input, fields, currency)),
  });
}

function readItem(input: StepInput, fields: StepFields, currency: string): ItemRequest {
  const item = new StepInput(input.account, fields, 'An item of a subscription');
  item.refuseOthersThan(['amount', 'interval', 'intervalCount', 'quantity', 'isMetered', 'isTaxInclusive', 'isTiered']);
  return {
    ...{ amount: item.flag('isTiered') ? null : item.amount(currency), interval: item.choice('interval', intervals, 'month') },
    ...{ intervalCount: item.integer('intervalCount', 1), quantity: item.integer('quantity', 1) },
    ...{ isMetered: item.flag('isMetered'), isTaxInclusive: item.flag('isTaxInclusive') },
  };
}

function readDiscount(input: StepInput, fields: StepFields, currency: string): DiscountRequest {
  const discount = new StepInput(input.account, fields, 'A discount of a subscription');
  discount.refuseOthersThan(['percentOff', 'amountOff', 'months']);
  return {
    percentOff: discount.optionalInteger('percentOff') ?? null,
    amountOff: discount.optionalInteger('amountOff') === undefined ? null : discount.amount(currency, 0, 'amountOff'),
    months: discount.optionalInteger('months') ?? null,
  };
}

function makeInvoice(input: StepInput): Row {
  const currency = input.currency();
  const lines = [{ amount: input.amount(currency) }];
  const credit = input.amount(currency, 0, 'credit');
  const isDraft = input.flag('isDraft');
  return addInvoice(input.account, {
    at: input.at,
    customer: customerOf(input),
    currency,
    lines,
    credit,
    reason: 'manual',
    isDraft,
  });
}
