import { test as base, expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { startTestInstance } from '../../../tools/start/test-instance.ts';
import { post } from './calls.ts';
import type { Person } from './calls.ts';
import { instance, useInstance } from './instance.ts';

/** Ends a hanging start. */
const START_TIMEOUT_MS = 600_000;

/** A test on an instance with billing, against the sandbox's Stripe. The project has one worker and therefore one instance. */
export const test = base.extend<object, { billedInstance: undefined }>({
  billedInstance: [
    // Playwright reads the required fixtures from this pattern.
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const { instance: started, stop } = await startTestInstance({ isBilled: true, isSeeded: false });
      useInstance(started);
      await use(undefined);
      await stop();
    },
    { scope: 'worker', auto: true, timeout: START_TIMEOUT_MS },
  ],
});

interface StripeState {
  subscriptions: { id: string; status: string; customer: string }[];
}

async function admin<T>(path: string, body?: object): Promise<T> {
  const response = await fetch(`${instance().sandboxUrl}/admin/${path}`, {
    method: body ? 'POST' : 'GET',
    body: body && JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} returned status ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

/** The subscription of an organization in the sandbox's Stripe. */
export async function subscriptionOf(organizationId: string): Promise<StripeState['subscriptions'][number]> {
  const { customers, subscriptions } = await admin<
    StripeState & { customers: { id: string; metadata: Record<string, string> }[] }
  >('stripe/state');
  const customer = customers.find(({ metadata }) => metadata.organization_id === organizationId);
  const found = subscriptions.find((subscription) => subscription.customer === customer?.id);
  if (!found) throw new Error(`No subscription of ${organizationId} at Stripe`);
  return found;
}

/** Advances the time in Stripe for one organization. */
export async function passDays(organizationId: string, days: number): Promise<void> {
  const { customer } = await subscriptionOf(organizationId);
  await admin('stripe/advance', { days, customerId: customer });
}

/** Sets the subscription to unpaid, as Stripe does after its last payment retry. */
export async function failAllPayments(organizationId: string): Promise<void> {
  const { id } = await subscriptionOf(organizationId);
  await admin(`stripe/subscriptions/${id}`, { status: 'unpaid' });
}

type Card = 'Card that works' | 'Card that is declined' | 'Card that fails later';

const sandboxSays = 'Sandbox: this is not Stripe';

/** Pays on the sandbox's checkout page. */
export async function payAtCheckout(page: Page, card: Card): Promise<void> {
  await expect(page.getByText(sandboxSays)).toBeVisible();
  await page.getByText(card).click();
  await page.getByRole('button', { name: 'Pay and subscribe' }).click();
}

/** Changes the card and pays the open invoice on the sandbox's billing page. */
export async function payAtPortal(page: Page): Promise<void> {
  await expect(page.getByText(sandboxSays)).toBeVisible();
  await page.getByText('Card that works').click();
  await page.getByRole('button', { name: 'Change card' }).click();
  await expect(page.getByText('Card saved')).toBeVisible();
  await page.getByRole('button', { name: 'Pay invoice' }).first().click();
  await expect(page.getByText('Invoice paid')).toBeVisible();
  await page.getByRole('link', { name: 'Back to Tributary' }).click();
}

/** Subscribes with the requests of a browser. `card` is a card of the sandbox's checkout page. */
export async function subscribe(owner: Person, organizationId: string, card: 'works' | 'later' = 'works'): Promise<void> {
  const subscription = `${instance().url}/api/v1/organizations/${organizationId}/subscription`;
  const { url } = await post<{ url: string }>(`${subscription}/checkout`, {}, owner.token);
  await fetch(url, { method: 'POST', body: new URLSearchParams({ card }), redirect: 'manual' });
  await refresh(owner, organizationId);
}

/** Reloads the subscription from Stripe and returns the access. */
export async function refresh(owner: Person, organizationId: string): Promise<string> {
  const url = `${instance().url}/api/v1/organizations/${organizationId}/subscription/refresh`;
  return (await post<{ access: string }>(url, {}, owner.token)).access;
}

/** Waits until the subscription has this access. */
export const untilAccess = (owner: Person, organizationId: string, access: string): Promise<void> =>
  expect.poll(() => refresh(owner, organizationId)).toBe(access);
