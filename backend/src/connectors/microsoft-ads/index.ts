import type { SourceConnector } from '../kit/connector.js';
import type { AccessTokenProvider, ConnectorContext, Source } from '../kit/contract.js';
import { withExchange } from '../kit/unified.js';
import { listAccounts, lookbackDays } from './accounts.js';
import { MicrosoftAdsApi } from './api.js';
import { microsoftOauth } from './oauth.js';
import { readSlice } from './read.js';
import { type ReportSlots, SlotsByUser } from './report-slots.js';
import type { MicrosoftAdsSettings } from './settings.js';
import { reports } from './streams.js';
import { API_VERSION } from './version.js';

const streams = reports.map((report) => report.stream);
/** Retention of daily reports (guides/report-data-retention-time-periods). */
const HISTORY_MONTHS = 36;

export function microsoftAdsConnector(settings: MicrosoftAdsSettings): SourceConnector {
  const slots = new SlotsByUser();
  return {
    provider: 'microsoft_ads',
    name: 'Microsoft Ads',
    category: 'advertising',
    apiVersion: API_VERSION,
    description: 'Daily cost, clicks and conversions from accounts down to keywords, with row counts verified for every report.',
    streams,
    historyMonths: HISTORY_MONTHS,
    settingsSchema: null,
    oauth: microsoftOauth(settings),
    open: (accessToken) => microsoftAdsSource(settings, accessToken, slots),
  };
}

function microsoftAdsSource(settings: MicrosoftAdsSettings, accessToken: AccessTokenProvider, slots: SlotsByUser): Source {
  const api = new MicrosoftAdsApi(settings, accessToken);
  const ownSlots = new OwnSlots(api, slots);
  return {
    provider: 'microsoft_ads',
    streams,
    listAccounts: (context) => listAccounts(api, context),
    lookbackDays: (context, account) => lookbackDays(api, context, account),
    async *read(context, slice) {
      yield* withExchange(context, slice, readSlice(settings, api, await ownSlots.get(context), context, slice));
    },
  };
}

/** Microsoft counts reports per user. The slots of the connected user are looked up once. */
class OwnSlots {
  private readonly api: MicrosoftAdsApi;
  private readonly slots: SlotsByUser;
  private found: ReportSlots | null = null;

  constructor(api: MicrosoftAdsApi, slots: SlotsByUser) {
    this.api = api;
    this.slots = slots;
  }

  async get(context: ConnectorContext): Promise<ReportSlots> {
    this.found ??= this.slots.of((await this.api.getUser(context)).id);
    return this.found;
  }
}
