import { googleAdsSource } from '../../../src/connectors/google-ads/index.js';
import { googleConversionsConnector } from '../../../src/connectors/google-data-manager/index.js';
import type { AccessTokenProvider, Source } from '../../../src/connectors/kit/contract.js';
import type { ConversionTarget, ConversionTargetChoice } from '../../../src/connectors/kit/conversion-target.js';
import type { ConversionTargetConnector } from '../../../src/connectors/kit/conversion-target.js';
import type { TokenGrant } from '../../../src/connectors/kit/oauth/oauth.js';
import { aContext } from '../context.js';
import { daysAgo, policy } from '../conversions/conversion-events.js';
import { accountNamed, choiceNamed } from '../conversions/sending.js';
import { adsScope, oauthFlowOf, startSandbox, type Sandbox } from '../sandbox-process.js';

export interface StoredConversion {
  customerId: string;
  transactionId: string;
  value: number;
  currency: string;
  isRetracted: boolean;
  versions: { value: number }[];
}

export interface GoogleSandbox extends Sandbox {
  tokens: AccessTokenProvider;
  connector: ConversionTargetConnector;
  source: Source;
  choicesOf(accountName: string): Promise<ConversionTargetChoice[]>;
  /** The conversion action `Order (import)` of the account. */
  target(options?: {
    accountName?: string;
    url?: string;
    tokens?: AccessTokenProvider;
    prefix?: string;
    api?: 'data_manager' | 'google_ads_upload';
  }): Promise<ConversionTarget>;
  /** A fault of the Data Manager API. */
  fail(fault: string, parameters?: Record<string, unknown>): Promise<void>;
  /** Conversions whose transaction id begins with the text. */
  stored(prefix: string): Promise<StoredConversion[]>;
  /** A Google click id that the account really has. */
  gclid(customerId: string): Promise<string>;
}

export const dataManagerScope = 'https://www.googleapis.com/auth/datamanager';

export async function startGoogleSandbox(): Promise<GoogleSandbox> {
  const sandbox = await startSandbox();
  const grant = await sandbox.signIn('demo@example.com', [adsScope, dataManagerScope]);
  const tokens = renewable(sandbox, grant);
  const ads = { baseUrl: `${sandbox.url}/google-ads`, apiVersion: 'v26' };
  const connectorAt = (dataManagerUrl: string) =>
    googleConversionsConnector({ dataManagerUrl, adsUrl: ads.baseUrl, adsApiVersion: ads.apiVersion });
  const connector = connectorAt(`${sandbox.url}/data-manager`);
  const source = googleAdsSource(ads, tokens);
  const choicesOf = async (name: string) => connector.listChoices(aContext(), tokens, await accountNamed(source, name));
  return {
    ...sandbox,
    tokens,
    connector,
    source,
    choicesOf,
    target: async ({ accountName = 'Northwind US', url, tokens: own = tokens, prefix, api = 'data_manager' } = {}) => {
      const { settings } = choiceNamed(await choicesOf(accountName), 'Order (import)');
      const opened = url ? connectorAt(url) : connector;
      const chosen = { ...settings, api, ...(prefix !== undefined && { transactionIdPrefix: prefix }) };
      return opened.open(chosen, own, policy, null);
    },
    fail: (fault, parameters = {}) => sandbox.addFault({ provider: 'data-manager', fault, ...parameters }),
    stored: async (prefix) => {
      const { conversionActions } = await sandbox.admin<{ conversionActions: { events: StoredConversion[] }[] }>(
        'data-manager/received',
      );
      return conversionActions.flatMap(({ events }) => events).filter(({ transactionId }) => transactionId?.startsWith(prefix));
    },
    gclid: async (customerId) => {
      // Google rejects clicks of the last hours as too recent.
      const at = daysAgo(2, new Date()).toISOString();
      const { clicks } = await sandbox.admin<{ clicks: { id: string }[] }>(
        `data-manager/clicks?customerId=${customerId}&at=${at}`,
      );
      return clicks[0]?.id ?? '';
    },
  };
}

/** Like the product: the stored token, and a fresh one after a rejection. */
function renewable(sandbox: Sandbox, grant: TokenGrant): AccessTokenProvider {
  let current = grant.accessToken;
  return {
    async accessToken(signal, options) {
      if (options?.refused !== undefined) current = (await oauthFlowOf(sandbox.oauth).refresh(grant, signal)).accessToken;
      return current;
    },
  };
}
