export interface LoggedRequest {
  at: string;
  method: string;
  path: string;
  query?: Record<string, string>;
  requestBody?: string;
  status: number;
  fault?: string;
}

/** The report, account and first day of one data request. */
export interface Reading {
  /** The platform's own name of the report. */
  report: string;
  accountId: string;
  from: string;
}

/** A source with the names that its sandbox uses. */
export interface Platform {
  provider: 'google_ads' | 'meta_ads' | 'microsoft_ads';
  /** Path of its sandbox, which is also its name there. */
  path: string;
  /** Parameter by which faults and totals select an account. */
  parameter: string;
  /** Two accounts of one user. Faults affect the second one. */
  accounts: [string, string];
  /** Two streams with the platform's names of their reports. */
  streams: Record<string, string>;
  /** What a request reads; null if it reads no data of a slice. */
  readingOf(request: LoggedRequest): Reading | null;
}

export const googleAds: Platform = {
  provider: 'google_ads',
  path: 'google-ads',
  parameter: 'customerId',
  accounts: ['9001000011', '9001000012'],
  streams: { campaign_daily: 'campaign', ad_group_daily: 'ad_group' },
  readingOf({ path, requestBody = '' }) {
    const accountId = /customers\/(\d+)\/googleAds:searchStream$/.exec(path)?.[1];
    const [, report, from] = /FROM (\w+) WHERE segments\.date BETWEEN '([\d-]+)'/.exec(requestBody) ?? [];
    return accountId && report && from ? { report, accountId, from } : null;
  },
};

/** Started report runs are counted as reads. Their pages have separate addresses. */
export const metaAds: Platform = {
  provider: 'meta_ads',
  path: 'meta-ads',
  parameter: 'accountId',
  accounts: ['310000000000011', '310000000000012'],
  streams: { campaign_daily: 'campaign', ad_set_daily: 'adset' },
  readingOf({ path, query, requestBody }) {
    const accountId = /\/act_(\d+)\/insights$/.exec(path)?.[1];
    const asked = new URLSearchParams(requestBody ?? query);
    const report = asked.get('level');
    if (!accountId || !report || report === 'account' || asked.has('after')) return null;
    return { report, accountId, from: (JSON.parse(asked.get('time_range') ?? '{}') as { since: string }).since };
  },
};

export const microsoftAds: Platform = {
  provider: 'microsoft_ads',
  path: 'microsoft-ads',
  parameter: 'accountId',
  accounts: ['180500011', '180500012'],
  streams: { campaign_daily: 'CampaignPerformance', ad_group_daily: 'AdGroupPerformance' },
  readingOf({ path, requestBody = '' }) {
    if (!path.endsWith('/GenerateReport/Submit')) return null;
    const { ReportRequest: asked } = JSON.parse(requestBody) as SubmitBody;
    const { Year, Month, Day } = asked.Time.CustomDateRangeStart;
    const from = new Date(Date.UTC(Year, Month - 1, Day)).toISOString().slice(0, 10);
    return { report: asked.Type.replace('ReportRequest', ''), accountId: asked.Scope.AccountIds[0] ?? '', from };
  },
};

interface SubmitBody {
  ReportRequest: {
    Type: string;
    Scope: { AccountIds: string[] };
    Time: { CustomDateRangeStart: { Day: number; Month: number; Year: number } };
  };
}
