import type { ProviderName, Stream } from './kit/contract.js';
import { googleAdsScopes } from './google-ads/oauth.js';
import { reports } from './google-ads/streams.js';
import { credentialsJsonSchema, settingsJsonSchema } from './postgresql/settings.js';

export type JsonSchema = Record<string, unknown>;

/** What the product can connect to, as the catalog shows it. */
export interface Connector {
  provider: ProviderName;
  name: string;
  roles: ('source' | 'destination')[];
  category: 'advertising' | 'warehouse' | 'product_analytics';
  description: string;
  authMode: 'oauth2' | 'password';
  scopes: { scope: string; reason: string }[];
  settingsSchema: JsonSchema | null;
  credentialsSchema: JsonSchema | null;
  streams: Stream[];
}

export const catalog: Connector[] = [
  {
    provider: 'google_ads',
    name: 'Google Ads',
    roles: ['source'],
    category: 'advertising',
    description: 'Daily cost, clicks and conversions of campaigns and ad groups, checked against Google’s own totals.',
    authMode: 'oauth2',
    scopes: googleAdsScopes.map(({ scope, reason }) => ({ scope, reason })),
    settingsSchema: null,
    credentialsSchema: null,
    streams: reports.map((report) => report.stream),
  },
  {
    provider: 'postgresql',
    name: 'PostgreSQL',
    roles: ['destination'],
    category: 'warehouse',
    description: 'Tables with keys and comments in a database of yours, version 15 or newer. Each day is replaced as a whole.',
    authMode: 'password',
    scopes: [],
    settingsSchema: settingsJsonSchema,
    credentialsSchema: credentialsJsonSchema,
    streams: [],
  },
];
