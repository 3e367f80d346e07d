import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { startSandbox } from '../src/server.ts';

export const monthly = 'price_tributary_monthly';
export const successUrl = 'http://localhost:3000/northwind/subscription/success?session_id={CHECKOUT_SESSION_ID}';
export const cancelUrl = 'http://localhost:3000/northwind/subscription/failure';

export interface AdminState {
  now: string;
  subscriptions: Stripe.Subscription[];
  events: Stripe.Event[];
  deliveries: { eventId: string; eventType: string; state: string; attempts: { status: number | null }[] }[];
}

/** The product's calls to Stripe with its SDK, and a user's actions on Stripe's pages. */
export class Billing {
  readonly url: string;
  readonly stripe: Stripe;

  constructor(url: string) {
    this.url = url;
    this.stripe = this.client('sk_test_sandbox');
  }

  client(key: string, config: Stripe.StripeConfig = {}): Stripe {
    const { hostname, port } = new URL(this.url);
    return new Stripe(key, { host: hostname, port, protocol: 'http', maxNetworkRetries: 0, ...config });
  }

  customer(name = 'northwind'): Promise<Stripe.Customer> {
    return this.stripe.customers.create({ email: `owner@${name}.example`, metadata: { organization_id: name } });
  }

  checkout(customer: string, trialDays?: number): Promise<Stripe.Checkout.Session> {
    return this.stripe.checkout.sessions.create({
      mode: 'subscription',
      customer,
      line_items: [{ price: monthly, quantity: 1 }],
      success_url: successUrl,
      cancel_url: cancelUrl,
      client_reference_id: 'northwind',
      subscription_data: {
        metadata: { organization_id: 'northwind' },
        ...(trialDays !== undefined && { trial_period_days: trialDays }),
      },
    });
  }

  submit(page: string, form: Record<string, string>): Promise<Response> {
    return fetch(page, { method: 'POST', redirect: 'manual', body: new URLSearchParams(form) });
  }

  /** A customer after a checkout with one of the page's cards. */
  async subscribe(trialDays?: number, card = 'works'): Promise<{ customer: Stripe.Customer; subscription: Stripe.Subscription }> {
    const customer = await this.customer();
    const session = await this.checkout(customer.id, trialDays);
    await this.submit(session.url!, { card });
    const paid = await this.stripe.checkout.sessions.retrieve(session.id);
    return { customer, subscription: await this.stripe.subscriptions.retrieve(paid.subscription as string) };
  }

  async portal(customer: string, form: Record<string, string>): Promise<Response> {
    const session = await this.stripe.billingPortal.sessions.create({ customer, return_url: cancelUrl });
    return this.submit(session.url, form);
  }

  async admin<T = Record<string, unknown>>(path: string, body?: object, method = body ? 'POST' : 'GET'): Promise<T> {
    const answer = await fetch(`${this.url}/admin/${path}`, { method, ...(body && { body: JSON.stringify(body) }) });
    return (await answer.json()) as T;
  }

  fault(fault: string, parameters: object = {}): Promise<{ id: string }> {
    return this.admin('faults', { provider: 'stripe', fault, ...parameters });
  }

  clearFaults(): Promise<unknown> {
    return this.admin('faults', undefined, 'DELETE');
  }

  /** Moves one customer's time, so that no other test's subscription ages; answers the types of what happened. */
  async advance(days: number, customerId: string): Promise<string[]> {
    const { events } = await this.admin<{ events: { type: string }[] }>('stripe/advance', { days, customerId });
    return events.map((event) => event.type);
  }

  state(customerId: string): Promise<AdminState> {
    return this.admin(`stripe/state?customerId=${customerId}`);
  }
}

export async function startBilling(
  settings: Parameters<typeof startSandbox>[0] = {},
): Promise<Billing & { close: () => Promise<void> }> {
  const { url, close } = await startSandbox(settings);
  return Object.assign(new Billing(url), { close });
}

export interface Received {
  body: string;
  signature: string;
  at: number;
}

/** An endpoint that records webhooks in order of arrival and returns the configured answers. */
export async function startReceiver(): Promise<{
  url: string;
  received: Received[];
  answers: number[];
  close: () => void;
}> {
  const received: Received[] = [];
  const answers: number[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const signature = String(request.headers['stripe-signature']);
      received.push({ body: Buffer.concat(chunks).toString(), signature, at: Date.now() });
      response.writeHead(answers.shift() ?? 200).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`, received, answers, close };
}

/** Waits until a condition holds; fails with the last value otherwise. */
export async function until<T>(read: () => T | Promise<T>, isSo: (value: T) => boolean, timeoutMs = 10_000): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const value = await read();
    if (isSo(value)) return value;
    if (Date.now() > deadline) throw new Error(`It did not become so: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
