import { addresses, type Plan } from './plan.ts';
import type { ProductClient } from './product-client.ts';

/** The only price of the simulated Stripe. */
const PRICE_ID = 'price_tributary_monthly';

/** Settings for the simulated Stripe. TRIAL_DAYS and PLAN_CONNECTIONS come from the shell's environment. */
export function billingSettings(plan: Plan): Record<string, string> {
  if (!plan.isBilled) return { BILLING: 'none' };
  return {
    BILLING: 'stripe',
    STRIPE_SECRET_KEY: 'sk_test_sandbox',
    STRIPE_WEBHOOK_SECRET: plan.secrets.stripeWebhookSecret,
    STRIPE_PRICE_ID: PRICE_ID,
    STRIPE_API_URL: addresses(plan).sandbox,
  };
}

async function post(url: string, body: string | URLSearchParams): Promise<Response> {
  const response = await fetch(url, { method: 'POST', body, redirect: 'manual' });
  if (response.status >= 400) throw new Error(`${url} returned ${response.status}: ${await response.text()}`);
  return response;
}

/** Registers the product's webhook URL and signing secret at the simulated Stripe, as an operator does in Stripe's dashboard. */
export async function registerWebhook(plan: Plan): Promise<void> {
  const { product, sandbox } = addresses(plan);
  const endpoint = { url: `${product}/webhooks/stripe`, secret: plan.secrets.stripeWebhookSecret };
  await post(`${sandbox}/admin/stripe/webhook-endpoints`, JSON.stringify(endpoint));
}

/** Subscribes an organization through the checkout page, unless it had a subscription. Runs need an open subscription. */
export async function ensureSubscription(client: ProductClient, organization: string): Promise<void> {
  const path = `${organization}/subscription`;
  const { isBilled, status } = await client.get<{ isBilled: boolean; status: string }>(path);
  if (!isBilled || status !== 'none') return;
  const { url } = await client.post<{ url: string }>(`${path}/checkout`);
  await post(url, new URLSearchParams({ card: 'works' }));
  await client.post(`${path}/refresh`);
}
