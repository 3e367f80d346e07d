import { metaAdsConnector } from '../../../src/connectors/meta-ads/index.js';
import type { MetaAdsSettings } from '../../../src/connectors/meta-ads/settings.js';
import { metaConversionsConnector } from '../../../src/connectors/meta-conversions/index.js';
import type { MetaConversionsSettings } from '../../../src/connectors/meta-conversions/settings.js';
import type { AccessTokenProvider } from '../../../src/connectors/kit/contract.js';
import type { ConversionTarget, ConversionTargetChoice } from '../../../src/connectors/kit/conversion-target.js';
import { aContext } from '../context.js';
import { policy } from '../conversions/conversion-events.js';
import { accountNamed, tokensOf } from '../conversions/sending.js';
import { startSandbox, type Sandbox } from '../sandbox-process.js';

export interface ReceivedEvent {
  outcome: 'counted' | 'duplicate' | 'rejected' | 'lost';
  id: string;
  testEventCode?: string;
  event: Record<string, unknown>;
}

/** What can be set differently from the demo user's access to the dataset `shop`. */
interface Options extends Partial<MetaConversionsSettings> {
  tokens?: AccessTokenProvider;
  datasetId?: string;
  testCode?: string | null;
}

export interface MetaConversionsSandbox extends Sandbox {
  tokens: AccessTokenProvider;
  settings: MetaConversionsSettings;
  signInTo(user: string, scopes: string[]): Promise<AccessTokenProvider>;
  datasetTokens(datasetId: string): Promise<AccessTokenProvider>;
  choicesOf(user: string, accountName: string): Promise<ConversionTargetChoice[]>;
  target(options?: Options): ConversionTarget;
  fail(fault: string, parameters?: Record<string, unknown>): Promise<void>;
  /** Everything that arrived whose id begins with the text. */
  received(prefix: string): Promise<ReceivedEvent[]>;
}

export const shop = '710000000000011';
export const sendingScopes = ['ads_read', 'ads_management'];

export async function startMetaConversionsSandbox(): Promise<MetaConversionsSandbox> {
  const sandbox = await startSandbox();
  const base = { graphUrl: `${sandbox.url}/meta-ads`, apiVersion: 'v26.0', appSecret: 'test-secret', now: () => new Date() };
  const ads: MetaAdsSettings = { ...base, dialogUrl: base.graphUrl, appId: 'test-app' };
  const settings: MetaConversionsSettings = { ...base, adsApiVersion: 'v26.0' };
  const connector = metaConversionsConnector(settings);
  const signInTo = async (user: string, scopes: string[]) => tokensOf(await signIn(ads, user, scopes));
  const tokens = await signInTo('demo@example.com', sendingScopes);
  return {
    ...sandbox,
    tokens,
    settings,
    signInTo,
    datasetTokens: async (datasetId) =>
      tokensOf((await sandbox.admin<{ access_token: string }>(`meta-ads/dataset-token?datasetId=${datasetId}`)).access_token),
    choicesOf: async (user, accountName) => {
      const own = await signInTo(user, sendingScopes);
      const account = await accountNamed(metaAdsConnector(ads).open(own, {}), accountName);
      return connector.listChoices(aContext(), own, account);
    },
    target: ({ tokens: own = tokens, datasetId = shop, testCode = null, ...overrides } = {}) =>
      metaConversionsConnector({ ...settings, ...overrides }).open({ datasetId, eventName: 'Purchase' }, own, policy, testCode),
    fail: (fault, parameters = {}) => sandbox.addFault({ provider: 'meta-ads', fault, ...parameters }),
    received: async (prefix) => {
      const { events } = await sandbox.admin<{ events: ReceivedEvent[] }>('meta-ads/received?limit=1000000');
      return events.filter(({ id }) => id?.startsWith(prefix));
    },
  };
}

async function signIn(settings: MetaAdsSettings, user: string, scopes: string[]): Promise<string> {
  const { oauth } = metaAdsConnector(settings);
  const redirectUri = 'http://127.0.0.1/callback';
  const { url, codeVerifier } = await oauth.startAuthorization({ redirectUri, state: 'state-of-test' });
  const body = new URLSearchParams([
    ['user', user],
    ['decision', 'allow'],
    ...scopes.map((scope): [string, string] => ['scope', scope]),
  ]);
  const answer = await fetch(url, { method: 'POST', body, redirect: 'manual' });
  const code = new URL(answer.headers.get('location') ?? 'http://no-redirect.invalid').searchParams.get('code') ?? '';
  return (await oauth.exchangeCode({ code, redirectUri, codeVerifier }, new AbortController().signal)).accessToken;
}
