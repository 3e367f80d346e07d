import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { effectiveStatuses, type Kind } from '../src/meta-ads/campaigns.ts';
import { startSandbox } from '../src/server.ts';
import type { Json } from './google.ts';

/** The product's calls to Meta over HTTP, for the tests. */
export const de = '310000000000011';
export const us = '310000000000012';
export const jp = '310000000000013';
export const closed = '310000000000014';
export const outlet = '310000000000020';
export const redirectUri = 'http://localhost:3000/oauth/callback';
export const adsScopes = ['ads_read', 'business_management'];

export interface Answer {
  status: number;
  body: Json;
  headers: Headers;
}

export interface Row {
  [field: string]: string | undefined;
}

type Texts = Record<string, string>;

export class Meta {
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  async dialog(overrides: Texts = {}, form: [string, string][] = []): Promise<Response> {
    const query = new URLSearchParams({
      client_id: 'app',
      redirect_uri: redirectUri,
      response_type: 'code',
      state: 'a state',
      scope: adsScopes.join(','),
      ...overrides,
    });
    const address = `${this.url}/meta-ads/v26.0/dialog/oauth?${query}`;
    return fetch(address, { method: 'POST', redirect: 'manual', body: new URLSearchParams(form) });
  }

  async code(user = 'demo@example.com', scopes = adsScopes, overrides: Texts = {}): Promise<string> {
    const ticked = scopes.map((scope): [string, string] => ['scope', scope]);
    const answer = await this.dialog(overrides, [['user', user], ...ticked, ['decision', 'allow']]);
    return new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? '';
  }

  token(parameters: Texts): Promise<Answer> {
    return this.get('oauth/access_token', null, { client_id: 'app', client_secret: 'secret', ...parameters });
  }

  exchange(code: string, overrides: Texts = {}): Promise<Answer> {
    return this.token({ code, redirect_uri: redirectUri, ...overrides });
  }

  extend(token: string): Promise<Answer> {
    return this.token({ grant_type: 'fb_exchange_token', fb_exchange_token: token });
  }

  async signIn(user = 'demo@example.com', scopes = adsScopes, overrides: Texts = {}): Promise<string> {
    const short = (await this.exchange(await this.code(user, scopes, overrides))).body.access_token;
    return String((await this.extend(String(short))).body.access_token);
  }

  /** Requests only these permissions and gets all of them. */
  signInWith(scopes: string[], user = 'demo@example.com'): Promise<string> {
    return this.signIn(user, scopes, { scope: scopes.join(',') });
  }

  /** As created in Events Manager. */
  async datasetToken(datasetId: string): Promise<string> {
    return String((await this.admin(`meta-ads/dataset-token?datasetId=${datasetId}`)).body.access_token);
  }

  debug(token: string): Promise<Answer> {
    return this.get('debug_token', 'app|secret', { input_token: token });
  }

  async get(path: string, token: string | null, parameters: Texts = {}, method = 'GET', version = 'v26.0'): Promise<Answer> {
    const query = new URLSearchParams(parameters);
    const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
    return readAnswer(await fetch(`${this.url}/meta-ads/${version}/${path}?${query}`, { method, headers }));
  }

  insights(token: string, accountId: string, parameters: Texts = {}): Promise<Answer> {
    return this.get(`act_${accountId}/insights`, token, { limit: '5000', ...parameters });
  }

  /** Starts a report run. Returns its id. */
  async startRun(token: string, accountId: string, parameters: Texts = {}): Promise<string> {
    const answer = await fetch(`${this.url}/meta-ads/v26.0/act_${accountId}/insights`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: new URLSearchParams(parameters),
    });
    return String(((await answer.json()) as Json).report_run_id);
  }

  /** Every polled state until the run ends, each once. */
  async poll(token: string, runId: string, polls = 400): Promise<Json[]> {
    const seen: Json[] = [];
    for (let poll = 0; poll < polls; poll++) {
      const { body } = await this.get(runId, token);
      if (
        seen.at(-1)?.async_status !== body.async_status ||
        seen.at(-1)?.async_percent_completion !== body.async_percent_completion
      )
        seen.push(body);
      const percent = Number(body.async_percent_completion);
      if (
        ['Job Failed', 'Job Skipped'].includes(String(body.async_status)) ||
        (String(body.async_status) === 'Job Completed' && percent === 100)
      )
        break;
      await delay(4);
    }
    return seen;
  }

  async admin(path: string, body?: object, method = body ? 'POST' : 'GET'): Promise<Answer> {
    return readAnswer(await fetch(`${this.url}/admin/${path}`, { method, ...(body && { body: JSON.stringify(body) }) }));
  }

  fault(fault: string, parameters: object = {}): Promise<Answer> {
    return this.admin('faults', { provider: 'meta-ads', fault, ...parameters });
  }
}

async function readAnswer(answer: Response): Promise<Answer> {
  return { status: answer.status, body: (await answer.json()) as Json, headers: answer.headers };
}

export async function startMeta(settings: Settings = {}): Promise<Meta & { close: () => Promise<void> }> {
  const { url, close } = await startSandbox(settings);
  return Object.assign(new Meta(url), { close });
}

type Settings = NonNullable<Parameters<typeof startSandbox>[0]>;

export function proof(token: string, secret = 'secret'): string {
  return createHmac('sha256', secret).update(token).digest('hex');
}

export function rowsOf({ body }: Answer): Row[] {
  return (body.data ?? []) as unknown as Row[];
}

/** '190/463', or '200' without a subcode. */
export function errorOf({ body }: Answer): string {
  const { code, error_subcode: subcode } = (body.error ?? {}) as Record<string, unknown>;
  return subcode === undefined ? String(code) : `${String(code)}/${String(subcode)}`;
}

/** In the unit of the currency times a hundred, so that sums are exact. */
export function sumOf(rows: Row[], field: 'impressions' | 'clicks' | 'spend'): number {
  return rows.reduce((sum, row) => sum + Math.round(Number(row[field] ?? 0) * (field === 'spend' ? 100 : 1)), 0);
}

/** 'YYYY-MM-DD' of so many days ago in UTC; tests keep a day's distance from today, which differs between time zones. */
export function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}

export const range = (from: number, to: number): string => JSON.stringify({ since: daysAgo(from), until: daysAgo(to) });

/** Requests objects of every status, including archived and deleted ones. */
export function everyStatus(level: string): Record<string, string> {
  if (!['campaign', 'adset', 'ad'].includes(level)) return {};
  const value = effectiveStatuses[level as Kind];
  return { filtering: JSON.stringify([{ field: `${level}.effective_status`, operator: 'IN', value }]) };
}

export const daily = (level: string, from: number, to: number, more: Record<string, string> = {}): Record<string, string> => ({
  level,
  time_range: range(from, to),
  time_increment: '1',
  fields: 'account_id,campaign_id,adset_id,ad_id,impressions,clicks,spend,actions,action_values',
  ...everyStatus(level),
  ...more,
});

/** The datasets of the sandbox: of `de` and `us`, of `us` alone, of `jp`, of `closed`. */
export const shop = '710000000000011';
export const stores = '710000000000012';
export const tokyo = '710000000000013';

/** SHA-256 of john_smith@gmail.com, as Meta's documentation prints it. */
export const johnsEmail = '62a14e44f765419d10fea99367361a727c12365e2520f32218d505ed9aa0f62f';

export const secondsAgo = (seconds: number): number => Math.floor(Date.now() / 1_000) - seconds;

export function lead(overrides: object = {}): Record<string, unknown> {
  return {
    event_name: 'Lead',
    event_time: secondsAgo(60),
    event_id: 'lead-1',
    action_source: 'website',
    event_source_url: 'https://shop.example/',
    user_data: { em: [johnsEmail] },
    ...overrides,
  };
}
