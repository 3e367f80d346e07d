import { metaAdsConnector } from '../../../src/connectors/meta-ads/index.js';
import type { MetaAdsSettings } from '../../../src/connectors/meta-ads/settings.js';
import type { AccessTokenProvider, AdAccount, Slice, Source } from '../../../src/connectors/kit/contract.js';
import { addDays, dayInTimeZone } from '../../../src/connectors/kit/days.js';
import type { OAuthFlow, TokenGrant } from '../../../src/connectors/kit/oauth/oauth.js';
import { aContext } from '../context.js';
import { startSandbox } from '../sandbox-process.js';

interface LoggedRequest {
  method: string;
  path: string;
  query?: Record<string, string>;
  requestBody?: string;
}

export interface StreamTotals {
  rows: number;
  costMicros: string;
  clicks: number;
  impressions: number;
}

export interface MetaSandbox {
  settings: MetaAdsSettings;
  oauthFlow: OAuthFlow;
  addFault(fault: string, parameters?: Record<string, unknown>): Promise<void>;
  clearFaults(): Promise<void>;
  moveClock(offsetDays: number): Promise<void>;
  totals(accountId: string, from: string, to: string): Promise<Record<string, StreamTotals>>;
  /** Requests to the Graph API since the last call of this method. */
  newRequests(): Promise<LoggedRequest[]>;
  /** The authorization code after the login dialog. */
  consent(user: string, scopes?: string[]): Promise<{ code: string; redirectUri: string; codeVerifier: string }>;
  signIn(user?: string, scopes?: string[]): Promise<TokenGrant>;
  source(grant: TokenGrant, options?: Record<string, unknown>, overrides?: Partial<MetaAdsSettings>): Source;
  stop(): Promise<void>;
}

const redirectUri = 'http://127.0.0.1/callback';
const allScopes = ['ads_read', 'email'];
export const { signal } = new AbortController();

export async function startMetaSandbox(): Promise<MetaSandbox> {
  const { url, stop } = await startSandbox();
  const settings: MetaAdsSettings = {
    graphUrl: `${url}/meta-ads`,
    dialogUrl: `${url}/meta-ads`,
    apiVersion: 'v26.0',
    appId: 'test-app',
    appSecret: 'test-secret',
    now: () => new Date(),
  };
  const oauthFlow = metaAdsConnector(settings).oauth;
  const consent = (user: string, scopes = allScopes) => consentTo(oauthFlow, user, scopes);
  let seenUntil = 0;
  return {
    settings,
    oauthFlow,
    consent,
    addFault: (fault, parameters = {}) => post(`${url}/admin/faults`, { provider: 'meta-ads', fault, ...parameters }),
    clearFaults: async () => void (await fetch(`${url}/admin/faults`, { method: 'DELETE' })),
    moveClock: (offsetDays) => post(`${url}/admin/clock`, { offsetDays }),
    totals: async (accountId, from, to) =>
      (
        await getJson<{ streams: Record<string, StreamTotals> }>(
          `${url}/admin/meta-ads/totals?accountId=${accountId}&from=${from}&to=${to}`,
        )
      ).streams,
    newRequests: async () => {
      const { requests } = await getJson<{ requests: LoggedRequest[] }>(`${url}/admin/requests?provider=meta-ads&limit=2000`);
      const fresh = requests.slice(seenUntil);
      seenUntil = requests.length;
      return fresh;
    },
    signIn: async (user = 'demo@example.com', scopes = allScopes) => oauthFlow.exchangeCode(await consent(user, scopes), signal),
    source: (grant, options = {}, overrides = {}) =>
      metaAdsConnector({ ...settings, ...overrides }).open(tokenOf(grant.accessToken), options),
    stop,
  };
}

export const tokenOf = (token: string): AccessTokenProvider => ({ accessToken: () => Promise.resolve(token) });

async function consentTo(oauthFlow: OAuthFlow, user: string, scopes: string[]) {
  const { url, codeVerifier } = await oauthFlow.startAuthorization({ redirectUri, state: 'state-of-test' });
  const body = new URLSearchParams([
    ['user', user],
    ['decision', 'allow'],
    ...scopes.map((scope): [string, string] => ['scope', scope]),
  ]);
  const answer = await fetch(url, { method: 'POST', body, redirect: 'manual' });
  const landing = new URL(answer.headers.get('location') ?? 'http://no-redirect.invalid');
  return { code: landing.searchParams.get('code') ?? '', redirectUri, codeVerifier };
}

export async function accountsOf(source: Source): Promise<(name: string) => AdAccount> {
  const accounts = await source.listAccounts(aContext());
  return (name) => {
    const found = accounts.find((one) => one.name === name);
    if (!found) throw new Error(`the sandbox has no account ${name}`);
    return found;
  };
}

/** The last complete days before yesterday in the account's own calendar. */
export function sliceOf(source: Source, streamName: string, account: AdAccount, days: number, endingDaysAgo = 1): Slice {
  const stream = source.streams.find(({ name }) => name === streamName);
  if (!stream) throw new Error(`no stream ${streamName}`);
  const to = addDays(dayInTimeZone(new Date(), account.timeZone), -endingDaysAgo);
  return { stream, account, from: addDays(to, 1 - days), to };
}

async function getJson<Body>(url: string): Promise<Body> {
  return (await (await fetch(url)).json()) as Body;
}

async function post(url: string, body: unknown): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
  if (!answer.ok) throw new Error(await answer.text());
}
