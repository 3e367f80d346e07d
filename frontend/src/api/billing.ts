import useSWR from 'swr';
import { client, unwrap } from './http/client';
import { loadConfig } from './http/config';
import { keys } from './http/keys';
import type { Subscription, Usage } from './types';

const at = (organizationId: string) => ({ params: { path: { organizationId } } });

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'An unexpected error occurred');

/** The error of a billing call. Its message begins with the fixed text of the specification, also for network errors. */
export class BillingFailure extends Error {
  readonly requestId: string | null;

  constructor(fixedText: string, cause: unknown) {
    const message = messageOf(cause);
    super(message.startsWith(fixedText) ? message : `${fixedText} ${message}`, { cause });
    this.name = 'BillingFailure';
    const isAnswer = cause instanceof Error && 'requestId' in cause && typeof cause.requestId === 'string';
    this.requestId = isAnswer ? (cause.requestId as string) : null;
  }
}

/** Billing can run on another host. The instance's settings contain its URL. */
async function callBilling<T>(fixedText: string, call: (baseUrl: string) => Promise<T>): Promise<T> {
  try {
    const { billing } = await loadConfig();
    return await call(billing.apiBase || location.origin);
  } catch (error) {
    throw new BillingFailure(fixedText, error);
  }
}

export const createCustomer = (body: { email: string; organizationId: string; userId: string }) =>
  callBilling('Failed to create customer:', (baseUrl) => unwrap(client.POST('/billing/customer', { baseUrl, body })));

export const VALIDITY_FAILED = 'Failed to check for checkout session validity:';

export const isSessionValid = (organizationId: string, sessionId: string): Promise<boolean> =>
  callBilling(VALIDITY_FAILED, async (baseUrl) => {
    const path = { organizationId, sessionId };
    const answer = client.GET('/billing/session-validity/{organizationId}/{sessionId}', { baseUrl, params: { path } });
    return (await unwrap(answer)).isValid;
  });

export const startCheckout = (organizationId: string) =>
  unwrap(client.POST('/api/v1/organizations/{organizationId}/subscription/checkout', at(organizationId)));

export const openPortal = (organizationId: string) =>
  unwrap(client.POST('/api/v1/organizations/{organizationId}/subscription/portal', at(organizationId)));

export const refreshSubscription = (organizationId: string) =>
  unwrap(client.POST('/api/v1/organizations/{organizationId}/subscription/refresh', at(organizationId)));

export const getSubscription = (organizationId: string): Promise<Subscription> =>
  unwrap(client.GET('/api/v1/organizations/{organizationId}/subscription', at(organizationId)));

type Interval = (latest: Subscription | undefined) => number;

/** @param refreshInterval in milliseconds; 0: only when the user returns to the page */
export const useSubscription = (organizationId: string | null, refreshInterval: number | Interval = 0) =>
  useSWR<Subscription, unknown>(
    organizationId === null ? null : keys.subscription(organizationId),
    () => getSubscription(organizationId ?? ''),
    { refreshInterval },
  );

export const useUsage = (organizationId: string) =>
  useSWR<Usage, unknown>(keys.usage(organizationId), () =>
    unwrap(client.GET('/api/v1/organizations/{organizationId}/usage', at(organizationId))),
  );
