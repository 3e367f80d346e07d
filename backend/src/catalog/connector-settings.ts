import type { ConnectorSettings } from '../connectors/catalog.js';
import type { Env } from '../core/config/env.js';
import type { Waits } from '../core/config/waits.js';

/** The connectors' part of this installation's settings. A platform without a configured client is not offered. */
export function connectorSettings(env: Env, waits: Waits): ConnectorSettings {
  return {
    google:
      env.GOOGLE_CLIENT_ID && env.GOOGLE_CLIENT_SECRET
        ? {
            clientId: env.GOOGLE_CLIENT_ID,
            clientSecret: env.GOOGLE_CLIENT_SECRET,
            authorizeUrl: env.GOOGLE_OAUTH_AUTHORIZE_URL,
            tokenUrl: env.GOOGLE_OAUTH_TOKEN_URL,
            revokeUrl: env.GOOGLE_OAUTH_REVOKE_URL,
            now: () => new Date(),
          }
        : null,
    googleAds: { baseUrl: env.GOOGLE_ADS_BASE_URL, apiVersion: env.GOOGLE_ADS_API_VERSION },
    googleDataManagerUrl: env.GOOGLE_DATA_MANAGER_BASE_URL,
    metaConversionsVersion: env.META_CONVERSIONS_API_VERSION,
    metaAds:
      env.META_APP_ID && env.META_APP_SECRET
        ? {
            graphUrl: env.META_GRAPH_URL,
            dialogUrl: env.META_DIALOG_URL,
            apiVersion: env.META_API_VERSION,
            appId: env.META_APP_ID,
            appSecret: env.META_APP_SECRET,
            reportPatienceMs: env.REPORT_PATIENCE_SECONDS * 1_000,
            ...(waits.metaFailedReportMs !== undefined && { failedRunPauseMs: waits.metaFailedReportMs }),
            now: () => new Date(),
          }
        : null,
    bigQuery: {
      baseUrl: env.BIGQUERY_BASE_URL,
      tokenUrl: env.BIGQUERY_TOKEN_URL,
      ...(waits.bigQueryRetryMs !== undefined && { pace: { retryMs: waits.bigQueryRetryMs } }),
      now: () => new Date(),
    },
    mixpanel: {
      baseUrl: env.MIXPANEL_BASE_URL ?? null,
      ...(waits.mixpanelRetryMs !== undefined && { retryDelayMs: waits.mixpanelRetryMs }),
      ...(waits.mixpanelVisibilityMs && { visibilityWaitsMs: waits.mixpanelVisibilityMs }),
      now: () => new Date(),
    },
    microsoftAds: microsoftAds(env, waits),
    microsoftUetUrl: env.MICROSOFT_UET_URL,
    egress: { allowed: env.EGRESS_ALLOWED_NETWORKS },
  };
}

function microsoftAds(env: Env, { microsoftPollMs, microsoftConcurrencyMs }: Waits): ConnectorSettings['microsoftAds'] {
  const { MICROSOFT_CLIENT_ID, MICROSOFT_CLIENT_SECRET, MICROSOFT_DEVELOPER_TOKEN } = env;
  if (!MICROSOFT_CLIENT_ID || !MICROSOFT_CLIENT_SECRET || !MICROSOFT_DEVELOPER_TOKEN) return null;
  return {
    clientId: MICROSOFT_CLIENT_ID,
    clientSecret: MICROSOFT_CLIENT_SECRET,
    developerToken: MICROSOFT_DEVELOPER_TOKEN,
    authorizeUrl: env.MICROSOFT_AUTHORIZE_URL,
    tokenUrl: env.MICROSOFT_TOKEN_URL,
    customerManagementUrl: env.MICROSOFT_CUSTOMER_URL,
    campaignManagementUrl: env.MICROSOFT_CAMPAIGN_URL,
    reportingUrl: env.MICROSOFT_REPORTING_URL,
    pace: {
      reportPatienceMs: env.REPORT_PATIENCE_SECONDS * 1_000,
      ...(microsoftPollMs && { firstPollMs: microsoftPollMs.first, longestPollMs: microsoftPollMs.longest }),
      ...(microsoftConcurrencyMs !== undefined && { concurrencyWaitMs: microsoftConcurrencyMs }),
    },
    now: () => new Date(),
  };
}
