import { z } from 'zod';
import { bigqueryConnector } from './bigquery/index.js';
import type { BigQuerySettings } from './bigquery/settings.js';
import { bigqueryConversionSource } from './bigquery/source/index.js';
import { customEventsSource } from './custom-events/source.js';
import { googleAdsConnector } from './google-ads/index.js';
import type { GoogleAdsSettings } from './google-ads/settings.js';
import { googleConversionsConnector } from './google-data-manager/index.js';
import type { AuthMode, DestinationConnector, JsonSchema, SourceConnector } from './kit/connector.js';
import type { AppProvider, Stream } from './kit/contract.js';
import type { ConversionTargetConnector } from './kit/conversion-target.js';
import type { ConversionSourceConnector } from './kit/conversion-source.js';
import type { EgressPolicy } from './kit/egress.js';
import type { GoogleOAuthSettings } from './kit/oauth/google-oauth.js';
import type { Scope } from './kit/oauth/oauth.js';
import { metaAdsConnector } from './meta-ads/index.js';
import type { MetaAdsSettings } from './meta-ads/settings.js';
import { metaConversionsConnector } from './meta-conversions/index.js';
import { mixpanelConnector } from './mixpanel/index.js';
import type { MixpanelSettings } from './mixpanel/settings.js';
import { mixpanelConversionSource } from './mixpanel/source/index.js';
import { microsoftConversionsConnector } from './microsoft-conversions/index.js';
import { microsoftAdsConnector } from './microsoft-ads/index.js';
import type { MicrosoftAdsSettings } from './microsoft-ads/settings.js';
import { postgresqlConnector } from './postgresql/index.js';
import { postgresqlConversionSource } from './postgresql/source/index.js';

export { customEvents, customEventsSource } from './custom-events/source.js';

/** Set by the operator: the platforms' addresses and this installation's credentials for them. Null: not configured. */
export interface ConnectorSettings {
  google: GoogleOAuthSettings | null;
  googleAds: GoogleAdsSettings;
  /** Address of Google's Data Manager API, without a slash at the end. */
  googleDataManagerUrl: string;
  metaAds: MetaAdsSettings | null;
  /** Version of Meta's Conversions API. */
  metaConversionsVersion: string;
  bigQuery: BigQuerySettings;
  mixpanel: MixpanelSettings;
  microsoftAds: MicrosoftAdsSettings | null;
  /** Address of Microsoft's UET Conversions API, without a slash at the end. */
  microsoftUetUrl: string;
  egress: EgressPolicy;
}

/** All connectors of this installation. Other modules access connectors only through this file. */
export interface Connectors {
  sources: SourceConnector[];
  destinations: DestinationConnector[];
  conversionTargets: ConversionTargetConnector[];
  conversionSources: ConversionSourceConnector[];
}

export function createConnectors(settings: ConnectorSettings): Connectors {
  const { google, metaAds } = settings;
  return {
    sources: [
      ...(google ? [googleAdsConnector(settings.googleAds, google)] : []),
      ...(metaAds ? [metaAdsConnector(metaAds)] : []),
      ...(settings.microsoftAds ? [microsoftAdsConnector(settings.microsoftAds)] : []),
    ],
    destinations: [
      bigqueryConnector(settings.bigQuery, google),
      mixpanelConnector(settings.mixpanel),
      postgresqlConnector(settings.egress),
    ],
    conversionTargets: createConversionTargets(settings),
    conversionSources: [
      bigqueryConversionSource(settings.bigQuery),
      mixpanelConversionSource(settings.mixpanel),
      postgresqlConversionSource(settings.egress),
    ],
  };
}

/** A platform that is set up as a source can receive conversions too. */
function createConversionTargets(settings: ConnectorSettings): ConversionTargetConnector[] {
  const { google, googleAds, googleDataManagerUrl, metaAds, metaConversionsVersion, microsoftAds, microsoftUetUrl } = settings;
  const { baseUrl: adsUrl, apiVersion: adsApiVersion } = googleAds;
  return [
    ...(google ? [googleConversionsConnector({ dataManagerUrl: googleDataManagerUrl, adsUrl, adsApiVersion })] : []),
    ...(metaAds
      ? [metaConversionsConnector({ ...metaAds, adsApiVersion: metaAds.apiVersion, apiVersion: metaConversionsVersion })]
      : []),
    ...(microsoftAds ? [microsoftConversionsConnector({ ...microsoftAds, uetUrl: microsoftUetUrl })] : []),
  ];
}

/** A credential type, as the catalog shows it. */
export interface CatalogCredentials {
  authMode: AuthMode;
  scopes: Scope[];
  /** JSON Schema of the secrets that the user enters; null for OAuth. */
  schema: JsonSchema | null;
}

/** What the product can connect to, as the catalog shows it. */
export interface CatalogEntry {
  provider: AppProvider;
  name: string;
  roles: ('source' | 'destination')[];
  category: 'advertising' | 'warehouse' | 'product_analytics' | 'custom';
  description: string;
  credentials: CatalogCredentials[];
  settingsSchema: JsonSchema | null;
  streams: Stream[];
}

export function describeConnectors({ sources, destinations }: Connectors): CatalogEntry[] {
  return [...sources.map(describeSource), ...destinations.map(describeDestination), CUSTOM];
}

/** A catalog entry without a connector: it stands for push endpoints and integration requests. */
const CUSTOM: CatalogEntry = {
  provider: 'custom',
  name: 'Custom app',
  roles: ['source'],
  category: 'custom',
  description: 'An endpoint of your own that receives events from any system, and a form to request a missing integration.',
  credentials: [{ authMode: 'push_key', scopes: [], schema: null }],
  settingsSchema: null,
  streams: customEventsSource.streams,
};

function describeSource(connector: SourceConnector): CatalogEntry {
  const { provider, name, category, description, streams, settingsSchema, oauth } = connector;
  return {
    provider,
    name,
    roles: ['source'],
    category,
    description,
    credentials: [{ authMode: 'oauth2', scopes: oauth.scopes, schema: null }],
    settingsSchema: settingsSchema && toForm(settingsSchema),
    streams,
  };
}

function describeDestination(connector: DestinationConnector): CatalogEntry {
  const { provider, name, category, description, settingsSchema, credentialKinds } = connector;
  return {
    provider,
    name,
    roles: ['destination'],
    category,
    description,
    credentials: credentialKinds.map(({ authMode, scopes, schema }) => ({ authMode, scopes, schema: schema && toForm(schema) })),
    settingsSchema: toForm(settingsSchema),
    streams: [],
  };
}

/** For forms: describes the input, so fields with a default are optional. */
const toForm = (schema: z.ZodType): JsonSchema => z.toJSONSchema(schema, { io: 'input' });
