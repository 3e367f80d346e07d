export interface LoggedRequest {
  at: string;
  method: string;
  path: string;
  query?: Record<string, string>;
  requestBody?: string;
  status: number;
  fault?: string;
}

/** What one request asks the numbers of. */
export interface Reading {
  /** The platform's own word for the report. */
  report: string;
  accountId: string;
  from: string;
}

/** A source in the words of its sandbox. */
export interface Platform {
  provider: 'google_ads' | 'meta_ads' | 'microsoft_ads';
  /** Of its sandbox, whose name it is there too. */
  path: string;
  /** By which faults and totals choose an account. */
  parameter: string;
  /** Two that one user reaches; the second is the one that trouble strikes. */
  accounts: [string, string];
  /** Two streams, and what the platform calls their reports. */
  streams: Record<string, string>;
  /** What a request reads; null when it reads no numbers of a slice. */
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

/** Started report runs are counted as readings; their pages are found by their own addresses. */
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
