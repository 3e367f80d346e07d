import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The part of a subscription that the product reads. */
export interface ModelSubscription {
  id: string;
  status: string;
  created: number;
  trialEnd: number | null;
  periodEnd: number;
  /** The classic way to cancel. */
  cancelsAtPeriodEnd: boolean;
  /** The way to cancel with flexible billing: only the time, in Unix seconds. */
  cancelAt: number | null;
  priceId: string;
}

export interface ModelCustomer {
  id: string;
  isDeleted: boolean;
  subscriptions: ModelSubscription[];
}

/**
 * A model of Stripe's state that a test can change thousands of times a second, served over HTTP to the official SDK. A response
 * is created immediately and sent some milliseconds later, so that older responses can arrive after newer ones.
 */
export class StripeModel {
  readonly customers = new Map<string, ModelCustomer>();
  private readonly server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const answer = JSON.stringify(this.answer(pathname, searchParams));
    this.asked += 1;
    const delayMs = this.asked % 5 === 0 ? 60 : (this.asked * 7) % 11;
    setTimeout(() => response.setHeader('content-type', 'application/json').end(answer), delayMs);
  });
  private asked = 0;

  async start(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private answer(path: string, query: URLSearchParams): object {
    const id = path.split('/').at(-1) ?? '';
    if (path.startsWith('/v1/prices/')) return priceOf(id);
    if (path.startsWith('/v1/customers/')) return { id, object: 'customer', deleted: this.customers.get(id)?.isDeleted };
    const found = this.customers.get(query.get('customer') ?? '')?.subscriptions ?? [];
    return { object: 'list', url: path, has_more: false, data: found.map(subscriptionOf).toReversed() };
  }
}

const priceOf = (id: string) => ({
  id,
  object: 'price',
  currency: 'eur',
  unit_amount: 4_900,
  recurring: { interval: 'month' },
  product: { id: 'prod_1', object: 'product', name: `Product of ${id}` },
});

const subscriptionOf = (subscription: ModelSubscription) => ({
  id: subscription.id,
  object: 'subscription',
  status: subscription.status,
  created: subscription.created,
  trial_end: subscription.trialEnd,
  cancel_at_period_end: subscription.cancelsAtPeriodEnd,
  cancel_at: subscription.cancelsAtPeriodEnd ? subscription.periodEnd : subscription.cancelAt,
  ended_at: hasEnded(subscription) ? subscription.periodEnd : null,
  canceled_at: null,
  items: { data: [{ price: { id: subscription.priceId }, current_period_end: subscription.periodEnd }] },
});

export const hasEnded = ({ status }: ModelSubscription): boolean => status === 'canceled' || status === 'incomplete_expired';
