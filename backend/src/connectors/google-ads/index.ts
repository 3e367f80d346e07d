import type { AccessTokenProvider, Source } from '../kit/contract.js';
import type { SourceConnector } from '../kit/connector.js';
import { googleOauth, type GoogleOAuthSettings } from '../kit/oauth/google-oauth.js';
import type { Scope } from '../kit/oauth/oauth.js';
import { withExchange } from '../kit/unified.js';
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

export function googleAdsConnector(settings: GoogleAdsSettings, oauth: GoogleOAuthSettings): SourceConnector {
  return {
    provider: 'google_ads',
    name: 'Google Ads',
    category: 'advertising',
    apiVersion: apiVersion(settings.apiVersion),
    description:
      'Daily cost, clicks and conversions from campaigns down to keywords and search terms, verified against Google’s own totals.',
    streams: reports.map((report) => report.stream),
    historyMonths: HISTORY_MONTHS,
    settingsSchema: null,
    oauth: googleOauth(oauth, scopes),
    open: (accessToken) => googleAdsSource(settings, accessToken),
  };
}

export function googleAdsSource(settings: GoogleAdsSettings, accessToken: AccessTokenProvider): Source {
  const api = new GoogleAdsApi(settings, accessToken);
  return {
    provider: 'google_ads',
    streams: reports.map((report) => report.stream),
    listAccounts: (context) => listAccounts(api, context),
    lookbackDays: (context, account) => lookbackDays(api, context, account),
    read: (context, slice) => withExchange(context, slice, readSlice(api, context, slice)),
  };
}
