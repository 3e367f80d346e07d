import { createHash } from 'node:crypto';
import { adsScope, de, Google, manager, type Answer, type Json } from './google.ts';
import { startSandbox } from '../src/server.ts';

/** The product's calls to the Data Manager API over HTTP, for the tests. */
export const dataManagerScope = 'https://www.googleapis.com/auth/datamanager';

/** Conversion actions of Northwind DE. */
export const purchase = '7010000111';
export const removedPurchase = '7010000113';
export const order = '7010000114';
export const qualifiedLead = '7010000115';
export const signedContract = '7010000116';
export const callFromAd = '7010000117';

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hourMs = 3_600_000;
export const hoursAgo = (hours: number): string => new Date(Date.now() - hours * hourMs).toISOString();
export const daysAgoAt = (days: number): string => hoursAgo(days * 24);

/** Requests and answers are JSON that tests vary freely. */
export type Body = Record<string, unknown>;

export function aDestination(overrides: Body = {}, customerId = de, loginId = manager): Body {
  return {
    operatingAccount: { accountType: 'GOOGLE_ADS', accountId: customerId },
    loginAccount: { accountType: 'GOOGLE_ADS', accountId: loginId },
    productDestinationId: order,
    ...overrides,
  };
}

class DataManager extends Google {
  accessToken = '';
  #clickId = '';

  override async signIn(user = 'demo@example.com', scopes = [adsScope]): ReturnType<Google['signIn']> {
    const scope = `openid email ${scopes.join(' ')}`;
    return (await this.exchange(await this.code(user, scopes, { scope }))).body;
  }

  /** A valid event of a click two days ago. */
  async anEvent(overrides: Body = {}): Promise<Body> {
    this.#clickId ||= await this.clickAt(daysAgoAt(2));
    return {
      transactionId: 'ord-1',
      eventTimestamp: daysAgoAt(1),
      eventSource: 'WEB',
      currency: 'EUR',
      conversionValue: 30.03,
      consent: { adUserData: 'CONSENT_GRANTED', adPersonalization: 'CONSENT_GRANTED' },
      adIdentifiers: { gclid: this.#clickId },
      ...overrides,
    };
  }

  /** Valid events with the transaction ids ord-1, ord-2, … */
  events(count: number, overrides: Body = {}): Promise<Body[]> {
    const numbers = Array.from({ length: count }, (_, index) => index + 1);
    return Promise.all(numbers.map((number) => this.anEvent({ transactionId: `ord-${number}`, ...overrides })));
  }

  async clickAt(at: string, customerId = de, kind = 'gclid'): Promise<string> {
    const { body } = await this.admin(`data-manager/clicks?${new URLSearchParams({ customerId, kind, at })}`);
    return String(body.clicks?.[0]?.id);
  }

  async call(path: string, init: RequestInit, token = this.accessToken): Promise<Answer> {
    const answer = await fetch(`${this.url}/data-manager/v1/${path}`, {
      ...init,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...init.headers },
    });
    return { status: answer.status, body: (await answer.json()) as Json, headers: answer.headers };
  }

  ingestBody(body: unknown, token?: string): Promise<Answer> {
    return this.call('events:ingest', { method: 'POST', body: JSON.stringify(body) }, token);
  }

  ingest(events: Body[], more: Body = {}): Promise<Answer> {
    return this.ingestBody({ destinations: [aDestination()], events, ...more });
  }

  async ingestOne(overrides: Body = {}, more: Body = {}): Promise<Answer> {
    return this.ingest([await this.anEvent(overrides)], more);
  }

  status(requestId: unknown, token?: string): Promise<Answer> {
    return this.call(`requestStatus:retrieve?requestId=${String(requestId)}`, {}, token);
  }

  /** The entries of the status of an accepted request. */
  async statusesOf({ body }: Answer): Promise<Json[]> {
    const { body: status } = await this.status(body.requestId);
    return status.requestStatusPerDestination as unknown as Json[];
  }

  /** 'SUCCESS' or 'FAILED CLICK_NOT_FOUND 1': state, then reasons with counts. */
  async outcomeOf(answer: Answer): Promise<string> {
    const [entry] = await this.statusesOf(answer);
    const counts = (entry?.errorInfo?.errorCounts ?? []) as unknown as { reason: string; recordCount: string }[];
    const reasons = counts.map(({ reason, recordCount }) => `${reason.replace('PROCESSING_ERROR_REASON_', '')} ${recordCount}`);
    return [String(entry?.requestStatus), ...reasons].join(' ');
  }

  async received(parameters: Record<string, string> = {}): Promise<Json> {
    return (await this.admin(`data-manager/received?${new URLSearchParams(parameters)}`)).body;
  }

  /** The stored conversions of an action, without those of others. */
  async conversions(conversionActionId = order): Promise<Json[]> {
    const received = await this.received({ conversionActionId });
    return (received.conversionActions?.[0]?.events ?? []) as unknown as Json[];
  }

  override fault(fault: string, parameters: object = {}): Promise<Answer> {
    return this.admin('faults', { provider: 'data-manager', fault, ...parameters });
  }
}

export async function startDataManager(
  settings: Parameters<typeof startSandbox>[0] = {},
): Promise<DataManager & { close: () => Promise<void> }> {
  const { url, close } = await startSandbox(settings);
  const started = Object.assign(new DataManager(url), { close });
  // Limits and the time of processing have their own tests.
  await started.admin('data-manager/settings', { requestsPerMinute: 100_000, processingSeconds: 0 });
  started.accessToken = (await started.signIn('demo@example.com', [adsScope, dataManagerScope])).access_token;
  return started;
}

/** The violations of an answer: 'events.events[0].currency INVALID_CURRENCY_CODE'. */
export function violationsOf({ body }: Answer): string[] {
  const details = (body.error?.details ?? []) as unknown as { fieldViolations?: { field: string; reason?: string }[] }[];
  return details
    .flatMap(({ fieldViolations = [] }) => fieldViolations)
    .map(({ field, reason }) => [field, reason].filter(Boolean).join(' '));
}

/** 'PERMISSION_DENIED SERVICE_DISABLED': the status of an error and the reason in its ErrorInfo. */
export function problemOf({ body }: Answer): string {
  const details = (body.error?.details ?? []) as unknown as { '@type': string; reason?: string }[];
  const info = details.find((detail) => detail['@type'].endsWith('ErrorInfo'));
  return `${String(body.error?.status)} ${info?.reason ?? ''}`.trim();
}
