import { microsoftAdsConnector } from '../../../src/connectors/microsoft-ads/index.js';
import type { MicrosoftAdsSettings } from '../../../src/connectors/microsoft-ads/settings.js';
import { microsoftConversionsConnector } from '../../../src/connectors/microsoft-conversions/index.js';
import type { MicrosoftConversionsSettings } from '../../../src/connectors/microsoft-conversions/settings.js';
import type { AccessTokenProvider } from '../../../src/connectors/kit/contract.js';
import type {
  ConversionTarget,
  ConversionTargetChoice,
  ConversionTargetConnector,
} from '../../../src/connectors/kit/conversion-target.js';
import type { StoredToken } from '../../../src/connectors/kit/oauth/oauth.js';
import { aContext } from '../context.js';
import { policy } from '../conversions/conversion-events.js';
import { accountNamed, choiceNamed } from '../conversions/sending.js';
import { consentAtMicrosoft } from '../microsoft-ads/microsoft-sandbox.js';
import { startSandbox, type Sandbox } from '../sandbox-process.js';

export interface ReceivedRow {
  kind: 'offline' | 'offlineAdjustment' | 'onlineAdjustment' | 'uet' | 'uetBrowser';
  outcome: 'attributed' | 'unattributed' | 'duplicate' | 'rejected' | 'lost';
  errors: string[];
  removed: string[];
  isCounted: boolean;
  isRetracted: boolean;
  value: number | null;
  currency: string | null;
  row: Record<string, unknown>;
}

interface Options extends Partial<MicrosoftConversionsSettings> {
  goal?: string;
  tokens?: AccessTokenProvider;
}

export interface MicrosoftConversionsSandbox extends Sandbox {
  tokens: AccessTokenProvider;
  connector: ConversionTargetConnector;
  choicesOf(accountName: string, tokens?: AccessTokenProvider): Promise<ConversionTargetChoice[]>;
  /** A goal of the account Northwind US. */
  target(options?: Options): Promise<ConversionTarget>;
  signInAs(user: string): Promise<AccessTokenProvider>;
  fail(fault: string, parameters?: Record<string, unknown>): Promise<void>;
  /** Everything that arrived since the last call of this method. */
  newRows(): Promise<ReceivedRow[]>;
  /** A click of the account Northwind US an hour ago. */
  aClick(): Promise<string>;
}

export const accountId = '180500012';

export async function startMicrosoftConversionsSandbox(): Promise<MicrosoftConversionsSandbox> {
  const sandbox = await startSandbox();
  const base = `${sandbox.url}/microsoft-ads`;
  const settings = { campaignManagementUrl: base, uetUrl: `${base}/uet`, developerToken: 'test-developer' };
  const ads = adsSettings(base);
  const signInAs = (user: string) => tokensAt(ads, user);
  const tokens = await signInAs('demo@example.com');
  const connector = microsoftConversionsConnector(settings);
  const choicesOf = async (accountName: string, own = tokens) =>
    connector.listChoices(aContext(), own, await accountNamed(microsoftAdsConnector(ads).open(own, {}), accountName));
  let seen = 0;
  return {
    ...sandbox,
    tokens,
    connector,
    choicesOf,
    signInAs,
    target: async ({ goal = 'Closed deal', tokens: own = tokens, ...overrides } = {}) => {
      const choice = choiceNamed(await choicesOf('Northwind US'), goal);
      return microsoftConversionsConnector({ ...settings, ...overrides }).open(choice.settings, own, policy, null);
    },
    fail: (fault, parameters = {}) => sandbox.addFault({ provider: 'microsoft-ads', fault, ...parameters }),
    newRows: async () => {
      const { rows } = await sandbox.admin<{ rows: ReceivedRow[] }>('microsoft-ads/received?limit=1000000');
      const fresh = rows.slice(seen);
      seen = rows.length;
      return fresh;
    },
    aClick: async () => (await sandbox.admin<{ id: string }>('microsoft-ads/clicks', { accountId, minutesAgo: 120 })).id,
  };
}

const adsSettings = (base: string): MicrosoftAdsSettings => ({
  clientId: 'test-client',
  clientSecret: 'test-secret',
  developerToken: 'test-developer',
  authorizeUrl: `${base}/oauth2/v2.0/authorize`,
  tokenUrl: `${base}/oauth2/v2.0/token`,
  customerManagementUrl: base,
  campaignManagementUrl: base,
  reportingUrl: base,
  now: () => new Date(),
});

/** Like the product: a rejected token is refreshed, and each rotated refresh token is stored. */
async function tokensAt(settings: MicrosoftAdsSettings, user: string): Promise<AccessTokenProvider> {
  const { oauth } = microsoftAdsConnector(settings);
  let stored: StoredToken = await oauth.exchangeCode(await consentAtMicrosoft(settings, user), new AbortController().signal);
  return {
    async accessToken(signal, options) {
      if (options?.refused !== undefined) {
        const fresh = await oauth.refresh(stored, signal);
        stored = { accessToken: fresh.accessToken, refreshToken: fresh.refreshToken ?? stored.refreshToken };
      }
      return stored.accessToken;
    },
  };
}
