import type { Source } from '../kit/contract.js';
import { listAccounts, lookbackDays } from './accounts.js';
import { GoogleAdsApi } from './api.js';
import { readSlice } from './read.js';
import type { GoogleAdsSettings } from './settings.js';
import { reports } from './streams.js';

export function googleAdsSource(settings: GoogleAdsSettings): Source {
  const api = new GoogleAdsApi(settings);
  return {
    provider: 'google_ads',
    streams: reports.map((report) => report.stream),
    listAccounts: (context) => listAccounts(api, context),
    lookbackDays: (context, account) => lookbackDays(api, context, account),
    read: (context, slice) => readSlice(api, context, slice),
  };
}
