import { microsoftAdsConnector } from '../../../src/connectors/microsoft-ads/index.js';
import { microsoftOauth } from '../../../src/connectors/microsoft-ads/oauth.js';
import type { MicrosoftAdsSettings, Pace } from '../../../src/connectors/microsoft-ads/settings.js';
import type { AccessTokenProvider, Source } from '../../../src/connectors/kit/contract.js';
import type { StoredToken, TokenGrant } from '../../../src/connectors/kit/oauth/oauth.js';
import { startSandbox } from '../sandbox-process.js';

type Totals = Record<string, { rows: number; costMicros: string; clicks: number; impressions: number }>;

/** Microsoft Advertising simulated by the sandbox process. The product gets only its addresses. */
export interface MicrosoftSandbox {
  settings(overrides?: Partial<MicrosoftAdsSettings>): MicrosoftAdsSettings;
  addFault(fault: Record<string, unknown>): Promise<void>;
  clearFaults(): Promise<void>;
  totals(accountId: string, from: string, to: string): Promise<Totals>;
  /** Status of each call since the start, by the last part of its path, such as `Submit`. */
  calls(operation: string): Promise<number[]>;
  signIn(user?: string): Promise<TokenGrant>;
  /** Like the product: uses the stored token, refreshes a rejected one and stores each rotated one. */
  source(grant: TokenGrant, overrides?: Partial<MicrosoftAdsSettings>): Source;
  stop(): Promise<void>;
}

const redirectUri = 'http://127.0.0.1/callback';
/** The sandbox answers immediately, so tests poll quickly. */
const quickPace: Partial<Pace> = { firstPollMs: 5, longestPollMs: 20, concurrencyWaitMs: 50 };

export async function startMicrosoftSandbox(): Promise<MicrosoftSandbox> {
  const { url, addFault, clearFaults, stop } = await startSandbox();
  const base = `${url}/microsoft-ads`;
  const settings = (overrides: Partial<MicrosoftAdsSettings> = {}): MicrosoftAdsSettings => ({
    clientId: 'test-client',
    clientSecret: 'test-secret',
    developerToken: 'test-developer',
    authorizeUrl: `${base}/oauth2/v2.0/authorize`,
    tokenUrl: `${base}/oauth2/v2.0/token`,
    customerManagementUrl: base,
    campaignManagementUrl: base,
    reportingUrl: base,
    pace: quickPace,
    now: () => new Date(),
    ...overrides,
  });
  const admin = async (path: string): Promise<unknown> => (await fetch(`${url}/admin/${path}`)).json();
  return {
    settings,
    addFault: (fault) => addFault({ provider: 'microsoft-ads', ...fault }),
    clearFaults,
    totals: async (accountId, from, to) =>
      ((await admin(`microsoft-ads/totals?accountId=${accountId}&from=${from}&to=${to}`)) as { streams: Totals }).streams,
    calls: async (operation) => {
      const { requests } = (await admin('requests?provider=microsoft-ads&limit=2000')) as {
        requests: { path: string; status: number }[];
      };
      return requests.filter(({ path }) => path.endsWith(`/${operation}`)).map(({ status }) => status);
    },
    signIn: (user) => signIn(settings(), user),
    source: (grant, overrides) => {
      const own = settings(overrides);
      return microsoftAdsConnector(own).open(tokensOf(own, grant), {});
    },
    stop,
  };
}

function tokensOf(settings: MicrosoftAdsSettings, grant: TokenGrant): AccessTokenProvider {
  let stored: StoredToken = grant;
  return {
    async accessToken(signal, options) {
      if (options?.refused !== undefined) {
        const fresh = await microsoftOauth(settings).refresh(stored, signal);
        stored = { accessToken: fresh.accessToken, refreshToken: fresh.refreshToken ?? stored.refreshToken };
      }
      return stored.accessToken;
    },
  };
}

/** The code and verifier after the consent page. */
export async function consentAtMicrosoft(settings: MicrosoftAdsSettings, user = 'demo@example.com', withoutScope = '') {
  const { url, codeVerifier } = await microsoftOauth(settings).startAuthorization({ redirectUri, state: 'state-of-test' });
  const address = new URL(url);
  address.searchParams.set('scope', (address.searchParams.get('scope') ?? '').replace(withoutScope, '').trim());
  const answer = await fetch(address, { method: 'POST', body: new URLSearchParams({ user }), redirect: 'manual' });
  const landing = new URL(answer.headers.get('location') ?? 'http://no-redirect.invalid');
  return { code: landing.searchParams.get('code') ?? '', state: landing.searchParams.get('state'), redirectUri, codeVerifier };
}

async function signIn(settings: MicrosoftAdsSettings, user?: string): Promise<TokenGrant> {
  return microsoftOauth(settings).exchangeCode(await consentAtMicrosoft(settings, user), new AbortController().signal);
}
