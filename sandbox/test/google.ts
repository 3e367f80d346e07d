import { createHash } from 'node:crypto';
import { startSandbox } from '../src/server.ts';

/** The product's calls to Google over HTTP, for the tests. */
export const adsScope = 'https://www.googleapis.com/auth/adwords';
export const redirectUri = 'http://localhost:3000/oauth/callback';
export const verifier = 'a-verifier-of-at-least-forty-three-characters';

export const de = '9001000011';
export const us = '9001000012';
export const jp = '9001000013';
export const closed = '9001000014';
export const outlet = '9001000020';
export const manager = '9001000001';

export interface Tokens {
  access_token: string;
  refresh_token: string;
  scope: string;
  error?: string;
  error_description?: string;
}

export interface Answer {
  status: number;
  // The answers of the API are read field by field in the tests, as loosely as they are defined.
  body: Json;
  headers: Headers;
}

export interface Json {
  [key: string]: Json;
  [index: number]: Json;
}

export class Google {
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  async consent(overrides: Record<string, string> = {}, form: [string, string][] = []): Promise<Response> {
    const query = new URLSearchParams({
      client_id: 'client',
      redirect_uri: redirectUri,
      response_type: 'code',
      state: 'a state',
      scope: `openid email ${adsScope}`,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      access_type: 'offline',
      prompt: 'consent',
      ...overrides,
    });
    return fetch(`${this.url}/google-ads/oauth/auth?${query}`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(form),
    });
  }

  async code(user = 'demo@example.com', scopes = [adsScope], overrides: Record<string, string> = {}): Promise<string> {
    const answer = await this.consent(overrides, [
      ['user', user],
      ...scopes.map((scope): [string, string] => ['scope', scope]),
      ['decision', 'allow'],
    ]);
    return new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? '';
  }

  async token(form: Record<string, string>): Promise<{ status: number; body: Tokens }> {
    const body = new URLSearchParams({ client_id: 'client', client_secret: 'secret', ...form });
    const answer = await fetch(`${this.url}/google-ads/oauth/token`, { method: 'POST', body });
    return { status: answer.status, body: (await answer.json()) as Tokens };
  }

  exchange(code: string, overrides: Record<string, string> = {}): ReturnType<Google['token']> {
    return this.token({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
      ...overrides,
    });
  }

  refresh(refreshToken: string, overrides: Record<string, string> = {}): ReturnType<Google['token']> {
    return this.token({ grant_type: 'refresh_token', refresh_token: refreshToken, ...overrides });
  }

  async signIn(user = 'demo@example.com', scopes = [adsScope]): Promise<Tokens> {
    return (await this.exchange(await this.code(user, scopes))).body;
  }

  async accessible(accessToken: string, version = 'v25'): Promise<Answer> {
    const headers = { authorization: `Bearer ${accessToken}` };
    return readAnswer(await fetch(`${this.url}/google-ads/${version}/customers:listAccessibleCustomers`, { headers }));
  }

  async post(accessToken: string, path: string, body: object, loginCustomerId?: string): Promise<Response> {
    return fetch(`${this.url}/google-ads/v25/customers/${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${accessToken}`,
        'content-type': 'application/json',
        ...(loginCustomerId && { 'login-customer-id': loginCustomerId }),
      },
      body: JSON.stringify(body),
    });
  }

  async search(
    accessToken: string,
    customerId: string,
    query: string,
    loginCustomerId?: string,
    more: object = {},
  ): Promise<Answer> {
    return readAnswer(await this.post(accessToken, `${customerId}/googleAds:search`, { query, ...more }, loginCustomerId));
  }

  async stream(
    accessToken: string,
    customerId: string,
    query: string,
    loginCustomerId?: string,
    more: object = {},
  ): Promise<Answer> {
    return readAnswer(await this.post(accessToken, `${customerId}/googleAds:searchStream`, { query, ...more }, loginCustomerId));
  }

  async admin(path: string, body?: object, method = body ? 'POST' : 'GET'): Promise<Answer> {
    return readAnswer(await fetch(`${this.url}/admin/${path}`, { method, ...(body && { body: JSON.stringify(body) }) }));
  }

  fault(fault: string, parameters: object = {}): Promise<Answer> {
    return this.admin('faults', { provider: 'google-ads', fault, ...parameters });
  }
}

async function readAnswer(answer: Response): Promise<Answer> {
  return { status: answer.status, body: (await answer.json()) as Json, headers: answer.headers };
}

export async function startGoogle(
  settings: Parameters<typeof startSandbox>[0] = {},
): Promise<Google & { close: () => Promise<void> }> {
  const { url, close } = await startSandbox(settings);
  return Object.assign(new Google(url), { close });
}

/** The one error of an answer, out of its wrapping: 'queryError UNRECOGNIZED_FIELD'. */
export function errorOf({ body }: Answer): string {
  const whole = Array.isArray(body) ? body[0] : body;
  const [category, code] = Object.entries(whole?.error?.details?.[0]?.errors?.[0]?.errorCode ?? {})[0] ?? [];
  return `${category} ${String(code)}`;
}

export function rowsOf({ body }: Answer): Json[] {
  const chunks = (Array.isArray(body) ? body : [body]) as unknown as { results?: Json[] }[];
  return chunks.flatMap((chunk) => chunk.results ?? []);
}

export const reportMetrics =
  'metrics.impressions, metrics.clicks, metrics.cost_micros, metrics.conversions, metrics.conversions_value';

export function campaignDaily(from: string, to: string): string {
  return `SELECT campaign.id, campaign.name, segments.date, segments.device, segments.ad_network_type, ${reportMetrics} FROM campaign WHERE segments.date BETWEEN '${from}' AND '${to}'`;
}

export function adGroupDaily(from: string, to: string): string {
  return `SELECT campaign.id, ad_group.id, segments.date, segments.device, ${reportMetrics} FROM ad_group WHERE segments.date BETWEEN '${from}' AND '${to}'`;
}

export function sumOf(
  rows: Json[],
  metric: 'costMicros' | 'clicks' | 'impressions' | 'conversions' | 'viewThroughConversions',
): number {
  return rows.reduce((sum, row) => sum + Number(row.metrics?.[metric] ?? 0), 0);
}

/** 'YYYY-MM-DD' of so many days ago in UTC; tests keep a day's distance from today, which differs between time zones. */
export function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}
