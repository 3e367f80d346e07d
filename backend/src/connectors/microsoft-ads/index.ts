import { defineSource, type Installation, type SourceParts } from '../kit/declaration.js';
import { reportPatience } from '../kit/environment.js';
import { microsoftClient, microsoftClientNames } from '../kit/platforms/microsoft.js';
import type { AccessTokenProvider, ConnectorContext, Source } from '../kit/contract.js';
import { withExchange } from '../kit/unified.js';
import { readAccountTotals } from './account-totals.js';
import { listAccounts, lookbackDays } from './accounts.js';
import { MicrosoftAdsApi } from './api.js';
import { microsoftOauth } from './oauth.js';
import { readSlice } from './read.js';
import { type ReportSlots, SlotsByUser } from './report-slots.js';
import type { MicrosoftAdsSettings, Pace } from './settings.js';
import { reports } from './streams.js';
import { API_VERSION } from './version.js';

const streams = reports.map((report) => report.stream);
/** Retention of daily reports (guides/report-data-retention-time-periods). */
const HISTORY_MONTHS = 36;

export const microsoftAds = defineSource({
  provider: 'microsoft_ads',
  displayName: 'Microsoft Ads',
  category: 'advertising',
  description: 'Daily cost, clicks and conversions from accounts down to keywords, with row counts verified for every report.',
  streams,
  historyMonths: HISTORY_MONTHS,
  settingsSchema: null,
  signIn: {
    kind: 'oauth2',
    landing: { connect: (organizationId) => `/${organizationId}/MicrosoftAds`, reconnect: '/microsoftReauth' },
  },
  environment: { ...microsoftClient, ...reportPatience },
  requires: microsoftClientNames,
  create: (environment, { now, pace }: Installation<Pace>) =>
    microsoftAdsConnector({
      clientId: environment.MICROSOFT_CLIENT_ID,
      clientSecret: environment.MICROSOFT_CLIENT_SECRET,
      developerToken: environment.MICROSOFT_DEVELOPER_TOKEN,
      authorizeUrl: environment.MICROSOFT_AUTHORIZE_URL,
      tokenUrl: environment.MICROSOFT_TOKEN_URL,
      customerManagementUrl: environment.MICROSOFT_CUSTOMER_URL,
      campaignManagementUrl: environment.MICROSOFT_CAMPAIGN_URL,
      reportingUrl: environment.MICROSOFT_REPORTING_URL,
      pace: { reportPatienceMs: environment.REPORT_PATIENCE_SECONDS * 1_000, ...pace },
      now,
    }),
});

export function microsoftAdsConnector(settings: MicrosoftAdsSettings): SourceParts {
  const slots = new SlotsByUser();
  return {
    apiVersion: API_VERSION,
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
    accountTotals: async (context, account, range) =>
      readAccountTotals(settings, api, await ownSlots.get(context), context, { account, ...range }),
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
