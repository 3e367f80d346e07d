import { googleAdsSource } from './google-ads/index.js';
import {
  exchangeCode,
  googleAdsScopes,
  missingScopes,
  refreshAccess,
  revokeAccess,
  startAuthorization,
} from './google-ads/oauth.js';
import { reports } from './google-ads/streams.js';
import type { ProviderName, Stream } from './kit/contract.js';
import { postgresqlDestination } from './postgresql/index.js';
import { credentialsJsonSchema, credentialsSchema, settingsJsonSchema, settingsSchema } from './postgresql/settings.js';

export type { GoogleOAuthSettings, TokenGrant } from './google-ads/oauth.js';
export type { PostgresqlSettings } from './postgresql/settings.js';

/** The doors of the connectors: other rooms reach them through here alone. */
export const googleAds = { open: googleAdsSource, exchangeCode, missingScopes, refreshAccess, revokeAccess, startAuthorization };
export const postgresql = { open: postgresqlDestination, settingsSchema, credentialsSchema };

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
