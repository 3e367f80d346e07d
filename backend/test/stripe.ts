import Stripe from 'stripe';
import { startTestApp, type TestApp } from './app.js';
import { type Sandbox, startSandbox } from './connectors/sandbox-process.js';
import { expectStatus, type Organization } from './factories.js';

export const WEBHOOK_SECRET = 'whsec_of_the_tests';
const PRICE_ID = 'price_tributary_monthly';

/** Address of Stripe in a test. */
export const stripeSettings = (sandboxUrl: string): Record<string, string> => ({
  BILLING: 'stripe',
  STRIPE_SECRET_KEY: 'sk_test_sandbox',
  STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
  STRIPE_PRICE_ID: PRICE_ID,
  STRIPE_API_URL: sandboxUrl,
});

/** Actions of users on Stripe's pages, and faults of Stripe. */
export class StripeSandbox {
  /** A client for direct access to Stripe, without the product. */
  readonly client: Stripe;

  constructor(private readonly sandbox: Sandbox) {
    const { hostname, port } = new URL(sandbox.url);
    this.client = new Stripe('sk_test_sandbox', { host: hostname, port, protocol: 'http' });
  }

  /** Sends the sandbox's webhooks to this product from now on. */
  async connect(app: TestApp, secret = WEBHOOK_SECRET): Promise<void> {
    await this.admin('stripe/webhook-endpoints', { url: `${app.url}/webhooks/stripe`, secret });
  }

  /** Pays on the page of a checkout. */
  async pay(url: string, card: 'works' | 'later' = 'works'): Promise<void> {
    const answer = await fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ card }) });
    if (answer.status >= 400) throw new Error(await answer.text());
  }

  fault(fault: string, parameters: object = {}): Promise<unknown> {
    return this.admin('faults', { provider: 'stripe', fault, ...parameters });
  }

  clearFaults(): Promise<unknown> {
    return this.admin('faults', undefined, 'DELETE');
  }

  /** Number of requests for a customer's subscriptions. */
  async countQuestions(customerId: string): Promise<number> {
    const { requests } = (await this.admin('requests?provider=stripe&limit=2000', undefined, 'GET')) as {
      requests: { path?: string; query?: Record<string, string> }[];
    };
    return requests.filter(({ path, query }) => path?.endsWith('/v1/subscriptions') && query?.['customer'] === customerId).length;
  }

  /** Number of requests for a checkout session. */
  async countSessionQuestions(sessionId: string): Promise<number> {
    const { requests } = (await this.admin('requests?provider=stripe&limit=2000', undefined, 'GET')) as {
      requests: { path?: string }[];
    };
    return requests.filter(({ path }) => path?.endsWith(`/v1/checkout/sessions/${sessionId}`)).length;
  }

  /** Performs the action of one of the buttons on the portal's page. */
  async act(portalUrl: string, decision: 'cancel' | 'resume'): Promise<void> {
    const answer = await fetch(portalUrl, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ decision }) });
    if (answer.status >= 400) throw new Error(await answer.text());
  }

  /** Changes the status of a subscription, with the events of the change. */
  force(subscriptionId: string, status: Stripe.Subscription.Status): Promise<unknown> {
    return this.admin(`stripe/subscriptions/${subscriptionId}`, { status });
  }

  private async admin(path: string, body?: object, method = body ? 'POST' : 'DELETE'): Promise<unknown> {
    const answer = await fetch(`${this.sandbox.url}/admin/${path}`, { method, body: body && JSON.stringify(body) });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  }
}

export interface BilledApp {
  sandbox: Sandbox;
  stripe: StripeSandbox;
  app: TestApp;
  stop(): Promise<void>;
}

/** The product with its own Stripe account, whose webhooks reach it. */
export async function startBilledApp(overrides: Record<string, string> = {}): Promise<BilledApp> {
  const sandbox = await startSandbox();
  const stripe = new StripeSandbox(sandbox);
  const app = await startTestApp({ ROLE: 'all', ...stripeSettings(sandbox.url), ...overrides });
  await stripe.connect(app);
  const stop = async () => {
    await app.stop();
    await sandbox.stop();
  };
  return { sandbox, stripe, app, stop };
}

export interface PaidCheckout {
  sessionId: string;
  customerId: string;
  subscriptionId: string;
}

/** Completes a checkout as an owner. The product is notified only by webhooks. */
export async function subscribe(organization: Organization, stripe: StripeSandbox): Promise<PaidCheckout> {
  const { body } = expectStatus(
    await organization.call.post<{ url: string; sessionId: string }>(`${organization.path}/subscription/checkout`),
    200,
  );
  await stripe.pay(body.url);
  const session = await stripe.client.checkout.sessions.retrieve(body.sessionId);
  return {
    sessionId: body.sessionId,
    customerId: String(session.customer),
    subscriptionId: String(session.subscription),
  };
}

/** An event signed like Stripe's with the secret. */
export function signed(event: object, secret = WEBHOOK_SECRET, atSeconds?: number): { payload: string; signature: string } {
  const payload = JSON.stringify(event);
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: atSeconds });
  return { payload, signature };
}

/**
 * Retries after a connection error, like Stripe's deliveries: the server closes idle connections, sometimes just before their
 * use.
 */
export async function deliver(
  app: Pick<TestApp, 'url'>,
  { payload, signature }: { payload: string; signature: string },
  tries = 3,
): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
  try {
    return await fetch(`${app.url}/webhooks/stripe`, { method: 'POST', headers, body: payload });
  } catch (error) {
    if (tries <= 1) throw error;
    return deliver(app, { payload, signature }, tries - 1);
  }
}
