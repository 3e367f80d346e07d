import type Stripe from 'stripe';
import type { Billing } from './stripe.ts';

export type Step = Record<string, unknown>;

export interface Sums {
  rows: number;
  currencies: Record<string, { rows: number; amounts: Record<string, number>; days: Record<string, { rows: number }> }>;
}

export interface Totals {
  tables: Record<string, Sums>;
  categories: Record<string, Sums>;
  business: Record<'sales' | 'refunds' | 'disputes', Sums>;
}

export interface StepsAnswer {
  objects: { id?: string; type: string; ref?: string }[];
  events: number;
  error?: string;
}

/** An account with payments, and its owner's restricted key. */
export class Shop {
  readonly billing: Billing;
  readonly id: string;
  readonly key: string;
  readonly stripe: Stripe;
  /** Ids by the names that steps gave. */
  readonly ids: Record<string, string> = {};

  constructor(billing: Billing, id: string, key: string) {
    this.billing = billing;
    this.id = id;
    this.key = key;
    this.stripe = billing.client(key);
  }

  async run(...steps: Step[]): Promise<StepsAnswer> {
    const answer = await this.billing.admin<StepsAnswer>(`stripe/payments/${this.id}/steps`, { steps });
    for (const { ref, id } of answer.objects ?? []) if (ref && id) this.ids[ref] = id;
    return answer;
  }

  idOf(ref: string): string {
    return this.ids[ref]!;
  }

  charge(ref: string): Promise<Stripe.Charge> {
    return this.stripe.charges.retrieve(this.idOf(ref));
  }

  async booked(): Promise<Pick<Stripe.BalanceTransaction, 'type' | 'reporting_category' | 'amount' | 'fee' | 'net'>[]> {
    const { data } = await this.stripe.balanceTransactions.list({ limit: 100 });
    return data
      .map(({ type, reporting_category, amount, fee, net }) => ({ type, reporting_category, amount, fee, net }))
      .reverse();
  }

  /** Types of all events, the oldest first. */
  async events(): Promise<string[]> {
    const { data } = await this.stripe.events.list({ limit: 100 });
    return data.map(({ type }) => type).reverse();
  }

  totals(query = ''): Promise<Totals> {
    return this.billing.admin(`stripe/payments/${this.id}${query}`);
  }

  async keyWith(rights: string[], isExpired = false): Promise<Stripe> {
    const { key } = await this.billing.admin<{ key: string }>(`stripe/payments/${this.id}/keys`, { rights, isExpired });
    return this.billing.client(key);
  }

  fault(fault: string, parameters: object = {}): Promise<{ id: string }> {
    return this.billing.fault(fault, { accountId: this.id, ...parameters });
  }
}

export async function openShop(billing: Billing, settings: object = {}): Promise<Shop> {
  const { id, key } = await billing.admin<{ id: string; key: string }>('stripe/payments', settings);
  return new Shop(billing, id, key);
}
