import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { googleOauth, type GoogleOAuthSettings } from '../../src/connectors/kit/oauth/google-oauth.js';
import type { OAuthFlow, TokenGrant } from '../../src/connectors/kit/oauth/oauth.js';

/** The sandbox as a separate process, as in the demo. The product gets only its address. */
export interface Sandbox {
  url: string;
  oauth: GoogleOAuthSettings;
  addFault(fault: Record<string, unknown>): Promise<void>;
  clearFaults(): Promise<void>;
  /** Calls the sandbox's administration, `/admin/<path>`: GET, or POST with a body. */
  admin<Body>(path: string, body?: object): Promise<Body>;
  totals(
    customerId: string,
    from: string,
    to: string,
  ): Promise<Record<string, { rows: number; costMicros: string; clicks: number; impressions: number }>>;
  requests(): Promise<{ path?: string }[]>;
  /** Completes the consent page like a browser. */
  signIn(user: string, scopes?: string[]): Promise<TokenGrant>;
  stop(): Promise<void>;
}

export const adsScope = 'https://www.googleapis.com/auth/adwords';
const redirectUri = 'http://127.0.0.1/callback';

/** @param settings environment variables of the sandbox */
export async function startSandbox(settings: Record<string, string> = {}): Promise<Sandbox> {
  const entry = fileURLToPath(new URL('../../../sandbox/src/main.ts', import.meta.url));
  const child = spawn(process.execPath, [entry], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, SANDBOX_PORT: '0', NODE_OPTIONS: '', ...settings },
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { url } = JSON.parse(line) as { url: string };
  const oauth: GoogleOAuthSettings = {
    clientId: 'test-client',
    clientSecret: 'test-secret',
    authorizeUrl: `${url}/google-ads/oauth/auth`,
    tokenUrl: `${url}/google-ads/oauth/token`,
    revokeUrl: `${url}/google-ads/oauth/revoke`,
    now: () => new Date(),
  };
  return {
    url,
    oauth,
    addFault: (fault) => post(`${url}/admin/faults`, { provider: 'google-ads', ...fault }),
    admin: (path, body) => callAdmin(url, path, body),
    clearFaults: async () => void (await fetch(`${url}/admin/faults`, { method: 'DELETE' })),
    totals: async (customerId, from, to) => {
      const answer = await fetch(`${url}/admin/google-ads/totals?customerId=${customerId}&from=${from}&to=${to}`);
      return ((await answer.json()) as { streams: Awaited<ReturnType<Sandbox['totals']>> }).streams;
    },
    requests: async () =>
      ((await (await fetch(`${url}/admin/requests?provider=google-ads`)).json()) as { requests: { path?: string }[] }).requests,
    signIn: (user, scopes = [adsScope]) => signIn(oauth, user, scopes),
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** Google sign-in with the ads scope and others. */
export const oauthFlowOf = (settings: GoogleOAuthSettings, others: string[] = []): OAuthFlow =>
  googleOauth(
    settings,
    [...new Set([adsScope, ...others])].map((scope) => ({ scope, reason: 'To test.', isRequired: true })),
  );

/** The code and verifier after the consent page. */
export async function consent(oauth: GoogleOAuthSettings, user: string, scopes = [adsScope]) {
  const { url, codeVerifier } = await oauthFlowOf(oauth, scopes).startAuthorization({ redirectUri, state: 'state-of-test' });
  const body = new URLSearchParams([
    ['user', user],
    ['decision', 'allow'],
    ...scopes.map((scope): [string, string] => ['scope', scope]),
  ]);
  const answer = await fetch(url, { method: 'POST', body, redirect: 'manual' });
  const landing = new URL(answer.headers.get('location') ?? 'http://no-redirect.invalid');
  return { code: landing.searchParams.get('code') ?? '', state: landing.searchParams.get('state'), redirectUri, codeVerifier };
}

async function signIn(oauth: GoogleOAuthSettings, user: string, scopes: string[]): Promise<TokenGrant> {
  return oauthFlowOf(oauth).exchangeCode(await consent(oauth, user, scopes), new AbortController().signal);
}

async function callAdmin<Body>(url: string, path: string, body?: object): Promise<Body> {
  const init = body && { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const answer = await fetch(`${url}/admin/${path}`, init);
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return (await answer.json()) as Body;
}

async function post(url: string, body: unknown): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
  if (!answer.ok) throw new Error(await answer.text());
}
