import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { post } from './calls.ts';
import type { Person } from './calls.ts';
import { instance, warehouse } from './instance.ts';
import { get } from './resources.ts';

const of = (organizationId: string): string => `${instance().url}/api/v1/organizations/${organizationId}`;
const admin = (path = ''): string => `${instance().sandboxUrl}/admin/stripe/payments${path}`;

export const utcDaysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/** A Stripe account of the sandbox. */
export interface Shop {
  id: string;
  key: string;
}

/** Opens an account in which these steps have happened. */
export const aShop = (name: string, steps: object[]): Promise<Shop> => post(admin(), { name, steps });

export const runSteps = (shop: Shop, steps: object[]): Promise<unknown> => post(admin(`/${shop.id}/steps`), { steps });

/** The booked transactions of an account, oldest first. */
export async function bookedBy({ id }: Shop): Promise<{ id: string; amount: number; currency: string }[]> {
  const response = await fetch(admin(`/${id}/rows/balance_transactions`));
  return ((await response.json()) as { rows: { id: string; amount: number; currency: string }[] }).rows;
}

/** Adds a webhook endpoint, as the account's owner does in Stripe, and returns its signing secret. */
export async function addEndpoint({ key }: Shop, url: string): Promise<string> {
  const body = new URLSearchParams([
    ['url', url],
    ['enabled_events[]', '*'],
  ]);
  const headers = { Authorization: `Bearer ${key}` };
  const response = await fetch(`${instance().sandboxUrl}/v1/webhook_endpoints`, { method: 'POST', body, headers });
  if (!response.ok) throw new Error(await response.text());
  return ((await response.json()) as { secret: string }).secret;
}

/** A PostgreSQL destination with tables of its own. */
export async function aWarehouse(person: Person, organizationId: string, tablePrefix: string): Promise<string> {
  const { host, port, database, user, password } = warehouse();
  const settings = { host, port: Number(port), database, schema: 'public', user, sslMode: 'disable', tablePrefix };
  const body = { provider: 'postgresql', name: 'Warehouse', settings, credentials: { password } };
  return (await post<{ id: string }>(`${of(organizationId)}/destinations`, body, person.token)).id;
}

/** A payment with its app and destination, created with the requests of the web app. */
export async function aPayment(
  person: Person,
  { organizationId, shop, prefix, name = 'Shop revenue' }: { organizationId: string; shop: Shop; prefix: string; name?: string },
): Promise<string> {
  const app = { provider: 'stripe', credentials: { apiKey: shop.key } };
  const { id: appId } = await post<{ id: string }>(`${of(organizationId)}/apps`, app, person.token);
  const destinationIds = [await aWarehouse(person, organizationId, prefix)];
  const body = { name, appId, destinationIds, historyFrom: utcDaysAgo(10), customerIdType: 'email' };
  return (await post<{ id: string }>(`${of(organizationId)}/payments`, body, person.token)).id;
}

/** Waits until the payment has loaded its days. */
export async function untilLoaded(person: Person, organizationId: string, id: string): Promise<void> {
  const health = async () => (await get<{ health: string }>(person, `${of(organizationId)}/payments/${id}`)).health;
  await expect.poll(health).toBe('healthy');
}

/** Connects a Stripe account from the catalog of apps. Continues at the form of its payment. */
export async function connectStripe(page: Page, key: string): Promise<void> {
  await page.getByRole('button', { name: 'Connect Stripe' }).click();
  const dialog = page.getByRole('dialog', { name: 'Connect Stripe' });
  await dialog.getByLabel('Restricted key').fill(key);
  await dialog.getByRole('button', { name: 'Check and connect' }).click();
}

/** Steps of every kind: both currencies, a refund, a declined payment, subscriptions that are and are not recurring revenue. */
export const SHOP_STEPS = [
  { type: 'payment', ref: 'sale', amount: 12_345, email: 'buyer@shop.example', daysAgo: 3 },
  {
    type: 'payment',
    ref: 'abroad',
    amount: 5_000,
    currency: 'jpy',
    exchangeRate: 0.61,
    email: 'abroad@shop.example',
    daysAgo: 3,
  },
  { type: 'refund', payment: 'sale', amount: 2_345, daysAgo: 2 },
  { type: 'payment', amount: 900, isDeclined: true, email: 'declined@shop.example', daysAgo: 1 },
  { type: 'subscription', email: 'yearly@shop.example', daysAgo: 4, items: [{ amount: 12_000, interval: 'year', quantity: 2 }] },
  { type: 'subscription', email: 'trial@shop.example', daysAgo: 2, trialDays: 14, items: [{ amount: 1_000 }] },
];
