/** A past state of a connection that the demo shows, in the order in which it is caused. */
export type Trouble =
  | 'none'
  | 'lost_rows'
  | 'revoked_rights'
  | 'ended_sign_in'
  | 'throttled'
  | 'hidden_events'
  | 'stopped_days_ago'
  | 'paused'
  | 'slow_first_load';

export interface AppPlan {
  name: string;
  provider: 'google_ads' | 'meta_ads' | 'microsoft_ads';
  /** The sandbox's user who gives consent. */
  user: string;
}

export type DestinationPlan =
  | { name: string; provider: 'postgresql'; schema: string }
  | { name: string; provider: 'bigquery'; datasetId: string }
  | { name: string; provider: 'mixpanel'; projectId: string; residency: 'US' | 'EU'; eventName: string };

export interface Story {
  /** Name of the connection. */
  name: string;
  app: AppPlan;
  /** Name of the source, which no other story has. */
  source: string;
  /** Null: all accounts that are enabled. */
  accountIds: string[] | null;
  destination: DestinationPlan;
  streams: string[];
  schedule: object;
  historyDays: number;
  tags: string[];
  trouble: Trouble;
}

const google: AppPlan = { name: 'Northwind Google Ads', provider: 'google_ads', user: 'demo@example.com' };
const meta: AppPlan = { name: 'Northwind Meta Ads', provider: 'meta_ads', user: 'demo@example.com' };
const microsoft: AppPlan = { name: 'Northwind Microsoft Ads', provider: 'microsoft_ads', user: 'demo@example.com' };
const partner: AppPlan = { name: 'Partner Google Ads', provider: 'google_ads', user: 'limited@example.com' };
const retail: AppPlan = { name: 'Retail Meta Ads', provider: 'meta_ads', user: 'limited@example.com' };
const agency: AppPlan = { name: 'Agency Microsoft Ads', provider: 'microsoft_ads', user: 'agency@example.com' };
const karachi: AppPlan = { name: 'Karachi Microsoft Ads', provider: 'microsoft_ads', user: 'karachi@example.com' };

const schema = (name: string, of: string): DestinationPlan => ({ name, provider: 'postgresql', schema: of });
const dataset = (name: string, datasetId: string): DestinationPlan => ({ name, provider: 'bigquery', datasetId });
/** The project of the web site. */
const website = { provider: 'mixpanel', projectId: '3100001', residency: 'US' } as const;
/** Its events are hidden, so it is not the project that the web app offers for trying. */
export const HIDDEN_PROJECT = { provider: 'mixpanel', projectId: '3100002', residency: 'EU' } as const;

/** The destination that `seed-demo.ts` creates. */
const warehouse = schema('Warehouse', 'public');

const daily = { kind: 'daily', atTime: '06:00', timeZone: 'UTC' };
/** A problem of such a connection is still there after a night. */
const weekly = { kind: 'cron', cron: '0 6 * * 1', timeZone: 'UTC' };

/** The accounts of the agency that are loaded. */
export const AGENCY_ACCOUNTS = Array.from({ length: 12 }, (_, place) => String(180_700_001 + place));
/** Accounts whose reports stay pending, so that the first load does not end. */
export const PENDING_ACCOUNTS = AGENCY_ACCOUNTS.slice(7);
export const KARACHI_ACCOUNT = '180500016';
export const RESTATED_ACCOUNT = '310000000000013';

/** The connections of the demo beside the first one: every health, all sources and all destinations. */
export const STORIES: Story[] = [
  {
    name: 'Meta Ads to warehouse',
    app: meta,
    source: 'All Meta accounts',
    accountIds: null,
    destination: warehouse,
    streams: ['campaign_daily', 'ad_set_daily'],
    schedule: daily,
    historyDays: 200,
    tags: ['core'],
    trouble: 'none',
  },
  {
    name: 'Microsoft Ads to BigQuery',
    app: microsoft,
    source: 'All Microsoft accounts',
    accountIds: null,
    destination: dataset('BigQuery marketing', 'marketing'),
    streams: ['campaign_daily', 'ad_group_daily'],
    schedule: { kind: 'daily', atTime: '05:30', timeZone: 'UTC' },
    historyDays: 200,
    tags: ['core'],
    trouble: 'none',
  },
  {
    name: 'Meta Ads to Mixpanel',
    app: meta,
    source: 'Meta Japan',
    accountIds: [RESTATED_ACCOUNT],
    destination: { ...HIDDEN_PROJECT, name: 'Mixpanel Europe', eventName: 'Spend of Meta Ads' },
    streams: ['campaign_daily'],
    schedule: weekly,
    historyDays: 100,
    tags: ['product'],
    trouble: 'hidden_events',
  },
  {
    name: 'Google Ads to BigQuery',
    app: google,
    source: 'Google DE and Outlet',
    accountIds: ['9001000011', '9001000020'],
    destination: dataset('BigQuery archive', 'archive'),
    streams: ['campaign_daily'],
    schedule: daily,
    historyDays: 120,
    tags: ['archive'],
    trouble: 'paused',
  },
  {
    name: 'Partner accounts',
    app: partner,
    source: 'Partner accounts',
    // The sandbox forbids this user the second account.
    accountIds: ['9001000011', '9001000012'],
    destination: schema('Partner reporting', 'partner'),
    streams: ['campaign_daily'],
    schedule: daily,
    historyDays: 120,
    tags: ['partner'],
    trouble: 'none',
  },
  {
    name: 'Agency accounts',
    app: agency,
    source: 'Agency accounts',
    accountIds: AGENCY_ACCOUNTS,
    destination: dataset('BigQuery agency', 'agency'),
    streams: ['campaign_daily'],
    schedule: daily,
    historyDays: 100,
    tags: ['partner'],
    trouble: 'slow_first_load',
  },
  {
    name: 'Retail to warehouse',
    app: retail,
    source: 'Retail accounts',
    accountIds: ['310000000000011'],
    destination: schema('Retail reporting', 'retail'),
    streams: ['campaign_daily'],
    schedule: daily,
    historyDays: 120,
    tags: ['partner'],
    trouble: 'ended_sign_in',
  },
  {
    name: 'Karachi to Mixpanel',
    app: karachi,
    source: 'Microsoft Pakistan',
    accountIds: [KARACHI_ACCOUNT],
    destination: { ...website, name: 'Mixpanel', eventName: 'Spend of Karachi' },
    streams: ['campaign_daily'],
    schedule: daily,
    historyDays: 100,
    tags: ['product'],
    trouble: 'throttled',
  },
  {
    name: 'Google Ads to finance',
    app: google,
    source: 'Google US and Outlet',
    accountIds: ['9001000012', '9001000020'],
    destination: schema('Finance warehouse', 'finance'),
    streams: ['campaign_daily', 'ad_group_daily'],
    schedule: weekly,
    historyDays: 120,
    tags: ['finance'],
    trouble: 'lost_rows',
  },
  {
    name: 'Microsoft Ads, legacy',
    app: microsoft,
    source: 'Microsoft DE and US',
    accountIds: ['180500011', '180500012'],
    destination: schema('Old warehouse', 'legacy'),
    streams: ['campaign_daily'],
    schedule: weekly,
    historyDays: 120,
    tags: ['archive'],
    trouble: 'revoked_rights',
  },
  {
    name: 'Meta Ads to reporting',
    app: meta,
    source: 'Meta DE and Outlet',
    accountIds: ['310000000000011', '310000000000020'],
    destination: schema('Weekly reporting', 'reporting'),
    streams: ['campaign_daily'],
    schedule: { kind: 'manual', timeZone: 'UTC' },
    historyDays: 120,
    tags: ['finance'],
    trouble: 'stopped_days_ago',
  },
];
