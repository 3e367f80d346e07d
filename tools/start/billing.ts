import { addresses, type Plan } from './plan.ts';
import type { ProductClient } from './product-client.ts';

/** The one plan that the sandbox's Stripe sells. */
const PRICE_ID = 'price_tributary_monthly';

/** The sandbox's Stripe in place of the real one; TRIAL_DAYS and PLAN_CONNECTIONS are taken from the shell. */
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
  if (response.status >= 400) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return response;
}

/** Tells the sandbox where the product listens, and what it signs with: what somebody would do in Stripe's dashboard. */
export async function registerWebhook(plan: Plan): Promise<void> {
  const { product, sandbox } = addresses(plan);
  const endpoint = { url: `${product}/webhooks/stripe`, secret: plan.secrets.stripeWebhookSecret };
  await post(`${sandbox}/admin/stripe/webhook-endpoints`, JSON.stringify(endpoint));
}

/** Subscribes an organization that never was, on the page where a person would: without a plan it could load nothing. */
export async function ensureSubscription(client: ProductClient, organization: string): Promise<void> {
  const path = `${organization}/subscription`;
  const { isBilled, status } = await client.get<{ isBilled: boolean; status: string }>(path);
  if (!isBilled || status !== 'none') return;
  const { url } = await client.post<{ url: string }>(`${path}/checkout`);
  await post(url, new URLSearchParams({ card: 'works' }));
  await client.post(`${path}/refresh`);
}
