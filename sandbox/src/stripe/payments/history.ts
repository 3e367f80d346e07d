import { fraction, mix } from '../../noise.ts';
import { decimalsOf, stepOf } from './currencies.ts';
import type { StepFields } from './step-input.ts';

const daySeconds = 86_400;

export interface HistoryRequest {
  seed: number;
  steps: number;
  currency: string;
  /** Unix seconds. */
  from: number;
  to: number;
}

/** Pseudorandom choices: the same seed gives the same ones. */
class Dice {
  readonly #seed: number;
  #rolls = 0;

  constructor(seed: number) {
    this.#seed = seed;
  }

  below(count: number): number {
    this.#rolls += 1;
    return Math.floor(fraction(mix(this.#seed, this.#rolls)) * count);
  }

  isOneIn(count: number): boolean {
    return this.below(count) === 0;
  }

  pick<T>(items: readonly T[]): T | undefined {
    return items.length === 0 ? undefined : items[this.below(items.length)];
  }
}

interface OpenPayment {
  ref: string;
  amount: number;
  /** What can still be refunded. */
  rest: number;
  isCaptured: boolean;
  isDisputed: boolean;
}

/** Valid steps in order of time. Amounts fit the currency. */
export function randomSteps(request: HistoryRequest): StepFields[] {
  return new RandomHistory(request).write();
}

class RandomHistory {
  readonly #request: HistoryRequest;
  readonly #dice: Dice;
  readonly #steps: StepFields[] = [];
  #payments: OpenPayment[] = [];
  #pendingRefunds: { ref: string }[] = [];
  #disputes: string[] = [];
  #subscriptions: string[] = [];
  #at = 0;

  constructor(request: HistoryRequest) {
    this.#request = request;
    this.#dice = new Dice(mix(request.seed, 11));
  }

  write(): StepFields[] {
    const { steps, from, to } = this.#request;
    const moves = [
      ...[this.#pay, this.#pay, this.#pay, this.#pay, this.#refund, this.#refund, this.#capture, this.#endRefund],
      ...[this.#dispute, this.#endDispute, this.#subscribe, this.#renew, this.#changeSubscription, this.#invoice, this.#cost],
    ];
    while (this.#steps.length < steps) {
      this.#at = from + Math.floor(((to - from) * this.#steps.length) / steps);
      // A move without its object, such as a refund without a payment, becomes a payment.
      if (!this.#dice.pick(moves)?.call(this)) this.#pay();
    }
    return this.#steps;
  }

  #add(type: string, fields: StepFields): string {
    const ref = `${type}-${this.#steps.length}`;
    this.#steps.push({ type, ref, at: this.#at, ...fields });
    return ref;
  }

  /** From one unit to 500. */
  #amount(most = 500 * 10 ** decimalsOf(this.#request.currency)): number {
    const step = stepOf(this.#request.currency);
    return Math.max(step, Math.floor((this.#dice.below(most) + 1) / step) * step);
  }

  #pay(): boolean {
    const amount = this.#amount();
    const isManual = this.#dice.isOneIn(6);
    const isDeclined = !isManual && this.#dice.isOneIn(8);
    const email = `buyer${this.#dice.below(40)}@shop.example`;
    const method = isManual ? 'card' : (this.#dice.pick(['card', 'card', 'sepa_debit']) ?? 'card');
    const fields = { amount, email, isManual, isDeclined, method, failedTries: this.#dice.isOneIn(5) ? 2 : 0 };
    const ref = this.#add('payment', { ...fields, metadata: { order_id: `order-${this.#steps.length}` } });
    if (!isDeclined) this.#payments.push({ ref, amount, rest: isManual ? 0 : amount, isCaptured: !isManual, isDisputed: false });
    return true;
  }

  #capture(): boolean {
    const payment = this.#dice.pick(this.#payments.filter(({ isCaptured }) => !isCaptured));
    if (!payment) return false;
    if (this.#dice.isOneIn(4)) {
      this.#add('cancel-payment', { payment: payment.ref });
      this.#payments = this.#payments.filter((other) => other !== payment);
      return true;
    }
    const amount = this.#dice.isOneIn(2) ? payment.amount : this.#amount(payment.amount);
    this.#add('capture', { payment: payment.ref, amount });
    Object.assign(payment, { isCaptured: true, rest: amount });
    return true;
  }

  #refund(): boolean {
    const payment = this.#dice.pick(this.#payments.filter(({ rest, isDisputed }) => rest > 0 && !isDisputed));
    if (!payment) return false;
    const amount = this.#dice.isOneIn(2) ? payment.rest : this.#amount(payment.rest);
    const isPending = this.#dice.isOneIn(3);
    const ref = this.#add('refund', { payment: payment.ref, amount, status: isPending ? 'pending' : 'succeeded' });
    payment.rest -= amount;
    if (isPending || this.#dice.isOneIn(6)) this.#pendingRefunds.push({ ref });
    return true;
  }

  #endRefund(): boolean {
    const refund = this.#pendingRefunds.shift();
    if (!refund) return false;
    this.#add('change-refund', { refund: refund.ref, status: this.#dice.isOneIn(2) ? 'failed' : 'succeeded' });
    return true;
  }

  #dispute(): boolean {
    const payment = this.#dice.pick(this.#payments.filter(({ rest, amount, isDisputed }) => rest === amount && !isDisputed));
    if (!payment) return false;
    payment.isDisputed = true;
    const status = this.#dice.pick(['needs_response', 'warning_needs_response', 'prevented']);
    const amount = this.#dice.isOneIn(3) ? this.#amount(payment.amount) : payment.amount;
    const ref = this.#add('dispute', { payment: payment.ref, amount, status });
    if (status === 'needs_response') this.#disputes.push(ref);
    return true;
  }

  #endDispute(): boolean {
    const dispute = this.#disputes.shift();
    if (!dispute) return false;
    this.#add('change-dispute', { dispute, status: this.#dice.isOneIn(2) ? 'won' : 'lost' });
    return true;
  }

  #subscribe(): boolean {
    const interval = this.#dice.pick(['month', 'month', 'year', 'week']);
    const items = [{ amount: this.#amount(), interval, quantity: 1 + this.#dice.below(3) }];
    const discounts = this.#dice.isOneIn(4) ? [{ percentOff: 20, months: 3 }] : [];
    const fields = {
      items,
      discounts,
      trialDays: this.#dice.isOneIn(4) ? 14 : 0,
      email: `member${this.#steps.length}@shop.example`,
    };
    this.#subscriptions.push(this.#add('subscription', fields));
    return true;
  }

  #renew(): boolean {
    const subscription = this.#dice.pick(this.#subscriptions);
    if (subscription === undefined) return false;
    this.#add('renew', { subscription, isDeclined: this.#dice.isOneIn(4) });
    return true;
  }

  #changeSubscription(): boolean {
    const subscription = this.#dice.pick(this.#subscriptions);
    if (subscription === undefined) return false;
    if (this.#dice.isOneIn(2)) {
      this.#add('change-subscription', { subscription, quantity: 1 + this.#dice.below(5) });
      return true;
    }
    const atPeriodEnd = this.#dice.isOneIn(2);
    this.#add('cancel-subscription', { subscription, atPeriodEnd });
    if (!atPeriodEnd) this.#subscriptions = this.#subscriptions.filter((other) => other !== subscription);
    return true;
  }

  #invoice(): boolean {
    const amount = this.#amount();
    const ref = this.#add('invoice', { amount, email: `firm${this.#steps.length}@shop.example` });
    if (this.#dice.isOneIn(3)) this.#add('end-invoice', { invoice: ref, status: 'void' });
    else this.#add('pay-invoice', { invoice: ref, paidOutside: this.#dice.isOneIn(3) ? amount : 0 });
    return true;
  }

  #cost(): boolean {
    const most = 10 * 10 ** decimalsOf(this.#request.currency);
    if (this.#dice.isOneIn(2)) this.#add('fee', { amount: this.#amount(most) });
    else this.#add('payout', { amount: this.#amount() });
    return true;
  }
}

/** One of every special case, on the days before a moment. The dates fit the 30 days of the event list. */
export function specialSteps(currency: string, until: number): StepFields[] {
  const unit = 10 ** decimalsOf(currency);
  const at = (daysAgo: number): number => until - daysAgo * daySeconds;
  const payment = (ref: string, daysAgo: number, units: number, more: StepFields = {}): StepFields => ({
    ...{ type: 'payment', ref, at: at(daysAgo), amount: units * unit, email: `${ref}@special.example` },
    ...more,
  });
  const invoice = (ref: string, daysAgo: number, more: StepFields): StepFields => ({
    ...{ type: 'invoice', ref, at: at(daysAgo), amount: 60 * unit, email: `${ref}@special.example` },
    ...more,
  });
  return [
    payment('after-failures', 25, 49, { failedTries: 2 }),
    payment('declined', 25, 20, { isDeclined: true }),
    payment('partly-captured', 24, 100, { isManual: true }),
    { type: 'capture', payment: 'partly-captured', amount: 70 * unit, at: at(23) },
    payment('released', 24, 30, { isManual: true }),
    { type: 'cancel-payment', payment: 'released', at: at(22) },
    payment('failed-refund', 21, 40),
    { type: 'refund', ref: 'refund-that-fails', payment: 'failed-refund', at: at(20) },
    { type: 'change-refund', refund: 'refund-that-fails', status: 'failed', at: at(12) },
    payment('partly-refunded', 20, 80),
    { type: 'refund', payment: 'partly-refunded', amount: 30 * unit, at: at(9) },
    payment('won', 19, 90),
    { type: 'dispute', ref: 'won-dispute', payment: 'won', at: at(15) },
    { type: 'change-dispute', dispute: 'won-dispute', status: 'won', at: at(5) },
    payment('lost', 19, 55),
    { type: 'dispute', ref: 'lost-dispute', payment: 'lost', amount: 25 * unit, at: at(14) },
    { type: 'change-dispute', dispute: 'lost-dispute', status: 'lost', at: at(4) },
    payment('prevented', 18, 35),
    { type: 'dispute', payment: 'prevented', status: 'prevented', at: at(13) },
    payment('debit', 17, 65, { method: 'sepa_debit' }),
    { type: 'return-debit', payment: 'debit', at: at(10) },
    invoice('paid-outside', 16, {}),
    { type: 'pay-invoice', invoice: 'paid-outside', paidOutside: 60 * unit, at: at(15) },
    invoice('with-credit', 16, { credit: 20 * unit }),
    { type: 'pay-invoice', invoice: 'with-credit', at: at(16) },
    payment('late-fee', 1, 45, { isBalanceLate: true }),
  ].sort((left, right) => Number(left.at) - Number(right.at));
}
