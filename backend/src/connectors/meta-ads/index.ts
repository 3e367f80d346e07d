import type { SourceConnector } from '../kit/connector.js';
import type { AccessTokenProvider, Source } from '../kit/contract.js';
import { withExchange } from '../kit/unified.js';
import { listAccounts } from './accounts.js';
import { GraphApi } from './api.js';
import { metaOauth } from './oauth.js';
import { readSlice } from './read.js';
import { sourceSettingsSchema, type MetaAdsSettings, type SourceSettings } from './settings.js';
import { reports } from './streams.js';
import { apiVersion } from './version.js';

/** "Insights … do not change after 28 days of being reported" (Marketing API, Insights best practices). */
const LOOKBACK_DAYS = 28;
/** Older days are rejected with code 3018. */
const HISTORY_MONTHS = 37;

export function metaAdsConnector(settings: MetaAdsSettings): SourceConnector {
  return {
    provider: 'meta_ads',
    name: 'Meta Ads',
    category: 'advertising',
    apiVersion: apiVersion(settings.apiVersion),
    description: 'Daily cost, clicks and conversions of campaigns, ad sets and ads, reconciled with Meta’s account totals.',
    streams: reports.map(({ stream }) => stream),
    historyMonths: HISTORY_MONTHS,
    settingsSchema: sourceSettingsSchema,
    oauth: metaOauth(settings),
    open: (accessToken, userSettings) => metaAdsSource(settings, accessToken, sourceSettingsSchema.parse(userSettings)),
  };
}

export function metaAdsSource(settings: MetaAdsSettings, accessToken: AccessTokenProvider, userSettings: SourceSettings): Source {
  const api = new GraphApi(settings, accessToken);
  const { reportPatienceMs, failedRunPauseMs, youngRunMs } = settings;
  const readSettings = { windows: userSettings.attributionWindows, reportPatienceMs, failedRunPauseMs, youngRunMs };
  return {
    provider: 'meta_ads',
    streams: reports.map(({ stream }) => stream),
    listAccounts: (context) => listAccounts(api, context),
    lookbackDays: () => Promise.resolve(LOOKBACK_DAYS),
    read: (context, slice) => withExchange(context, slice, readSlice(api, context, slice, readSettings)),
  };
}
