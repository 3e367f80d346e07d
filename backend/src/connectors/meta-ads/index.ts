import { defineSource, type Installation, type SourceParts } from '../kit/declaration.js';
import { reportPatience } from '../kit/environment.js';
import { metaApp, metaAppNames } from '../kit/platforms/meta.js';
import type { AccessTokenProvider, Source } from '../kit/contract.js';
import { withExchange } from '../kit/unified.js';
import { readAccountTotals } from './account-totals.js';
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

export const metaAds = defineSource({
  provider: 'meta_ads',
  displayName: 'Meta Ads',
  category: 'advertising',
  description: 'Daily cost, clicks and conversions of campaigns, ad sets and ads, reconciled with Meta’s account totals.',
  streams: reports.map(({ stream }) => stream),
  historyMonths: HISTORY_MONTHS,
  settingsSchema: sourceSettingsSchema,
  signIn: {
    kind: 'oauth2',
    landing: { connect: (organizationId) => `/${organizationId}/MetaAds`, reconnect: '/metaReauth' },
  },
  environment: { ...metaApp, ...reportPatience },
  requires: metaAppNames,
  create: (environment, { now, warn, pace }: Installation<Pick<MetaAdsSettings, 'failedRunPauseMs'>>) =>
    metaAdsConnector({
      ...pace,
      graphUrl: environment.META_GRAPH_URL,
      dialogUrl: environment.META_DIALOG_URL,
      apiVersion: environment.META_API_VERSION,
      appId: environment.META_APP_ID,
      appSecret: environment.META_APP_SECRET,
      reportPatienceMs: environment.REPORT_PATIENCE_SECONDS * 1_000,
      warn,
      now,
    }),
});

export function metaAdsConnector(given: MetaAdsSettings): SourceParts {
  const settings = { ...given, warn: once(given.warn) };
  return {
    apiVersion: apiVersion(settings.apiVersion),
    oauth: metaOauth(settings),
    open: (accessToken, userSettings) => metaAdsSource(settings, accessToken, sourceSettingsSchema.parse(userSettings)),
  };
}

export function metaAdsSource(settings: MetaAdsSettings, accessToken: AccessTokenProvider, userSettings: SourceSettings): Source {
  const api = new GraphApi(settings, accessToken);
  const { reportPatienceMs, failedRunPauseMs, youngRunMs, now } = settings;
  const readSettings = { windows: userSettings.attributionWindows, reportPatienceMs, failedRunPauseMs, youngRunMs, now };
  return {
    provider: 'meta_ads',
    streams: reports.map(({ stream }) => stream),
    listAccounts: (context) => listAccounts(api, context),
    lookbackDays: () => Promise.resolve(LOOKBACK_DAYS),
    accountTotals: (context, account, range) => readAccountTotals(api, context, account, range),
    read: (context, slice) => withExchange(context, slice, readSlice(api, context, slice, readSettings)),
  };
}

/** Every answer to an ended version has the same warning. */
function once(warn: MetaAdsSettings['warn']): (message: string) => void {
  const told = new Set<string>();
  return (message) => {
    if (!told.has(message)) warn?.(message);
    told.add(message);
  };
}
