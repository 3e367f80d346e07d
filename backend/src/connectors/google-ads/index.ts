import type { AccessTokenProvider, Source } from '../kit/contract.js';
import { defineSource, type SourceParts } from '../kit/declaration.js';
import { googleOauth, type GoogleOAuthSettings } from '../kit/oauth/google-oauth.js';
import type { Scope } from '../kit/oauth/oauth.js';
import { googleAdsApi, googleClient, googleClientNames, googleOauthSettings } from '../kit/platforms/google.js';
import { withExchange } from '../kit/unified.js';
import { readAccountTotals } from './account-totals.js';
import { listAccounts, lookbackDays } from './accounts.js';
import { GoogleAdsApi } from './api.js';
import { readSlice } from './read.js';
import type { GoogleAdsSettings } from './settings.js';
import { reports } from './streams.js';
import { apiVersion } from './version.js';

const scopes: Scope[] = [
  {
    scope: 'https://www.googleapis.com/auth/adwords',
    reason: 'To list your ad accounts and read their reports.',
    isRequired: true,
  },
  {
    scope: 'https://www.googleapis.com/auth/datamanager',
    reason: 'To send conversions to Google Ads. Reports are read without it.',
    isRequired: false,
  },
];

/** Since 2026-06-01 daily data is not available for longer (Google Ads API, deprecations). Monthly data is not used. */
const HISTORY_MONTHS = 37;

export const googleAds = defineSource({
  provider: 'google_ads',
  displayName: 'Google Ads',
  category: 'advertising',
  description:
    'Daily cost, clicks and conversions from campaigns down to keywords and search terms, verified against Google’s own totals.',
  streams: reports.map((report) => report.stream),
  historyMonths: HISTORY_MONTHS,
  settingsSchema: null,
  signIn: {
    kind: 'oauth2',
    platform: 'google',
    landing: { connect: (organizationId) => `/${organizationId}/GoogleAds`, reconnect: '/googleReauth' },
  },
  environment: { ...googleClient, ...googleAdsApi },
  requires: googleClientNames,
  create: (environment, { now }) =>
    googleAdsConnector(
      { baseUrl: environment.GOOGLE_ADS_BASE_URL, apiVersion: environment.GOOGLE_ADS_API_VERSION },
      googleOauthSettings(environment, now),
    ),
});

export function googleAdsConnector(settings: GoogleAdsSettings, oauth: GoogleOAuthSettings): SourceParts {
  return {
    apiVersion: apiVersion(settings.apiVersion),
    oauth: googleOauth(oauth, scopes),
    open: (accessToken) => googleAdsSource(settings, accessToken),
  };
}

/** Operations per day of a Google Cloud project with Basic access (Google, "Access levels and permissible use"). */
const DAILY_CALLS = { limit: 15_000, access: 'Google’s Basic access' };

export function googleAdsSource(settings: GoogleAdsSettings, accessToken: AccessTokenProvider): Source {
  const api = new GoogleAdsApi(settings, accessToken);
  return {
    provider: 'google_ads',
    streams: reports.map((report) => report.stream),
    dailyCalls: DAILY_CALLS,
    listAccounts: (context) => listAccounts(api, context),
    lookbackDays: (context, account) => lookbackDays(api, context, account),
    accountTotals: (context, account, range) => readAccountTotals(api, context, account, range),
    read: (context, slice) => withExchange(context, slice, readSlice(api, context, slice)),
  };
}
