/** The nine pairs of a source and a destination, and the streams that the drill compares row by row. */
export const HISTORY_DAYS = 9;
/** Each round restates these days, so that every run has rows to add, change and remove. */
export const RESTATED = { from: 6, to: 3 };
/** The accounts' days end at different times, so later days are loaded but not compared. */
export const COMPARED_TO = 2;

export const sources = [
  {
    ...{ provider: 'google_ads', path: 'google-ads', parameter: 'customerId', accountId: '9001000011', user: 'demo@example.com' },
    streams: { campaign_daily: ['campaign_id', 'device', 'network'], ad_group_daily: ['ad_group_id', 'device'] },
  },
  {
    ...{ provider: 'meta_ads', path: 'meta-ads', parameter: 'accountId', accountId: '310000000000012', user: 'demo@example.com' },
    streams: { campaign_daily: ['campaign_id'], ad_set_daily: ['ad_set_id'] },
  },
  {
    ...{
      provider: 'microsoft_ads',
      path: 'microsoft-ads',
      parameter: 'accountId',
      accountId: '180500016',
      user: 'karachi@example.com',
    },
    streams: { campaign_daily: ['campaign_id', 'device', 'network'], ad_group_daily: ['ad_group_id', 'device', 'network'] },
  },
] as const;
export const destinations = ['postgresql', 'bigquery', 'mixpanel'] as const;

export type SourceKind = (typeof sources)[number];
export type DestinationKind = (typeof destinations)[number];

export interface Pair {
  source: SourceKind;
  destination: DestinationKind;
  connectionId: string;
}

export const nameOf = ({ source, destination }: Pair): string => `${source.provider} to ${destination}`;
export const keysOf = ({ streams }: SourceKind): [string, readonly string[]][] => Object.entries(streams);

export const BIGQUERY = { projectId: 'northwind-marketing', datasetId: 'drill' };
export const MIXPANEL_PROJECT = '3100003';

/** Days are UTC days before the start of the drill, so that midnight does not change the compared range. */
const STARTED_AT = Date.now();
export const daysAgo = (days: number): string => new Date(STARTED_AT - days * 86_400_000).toISOString().slice(0, 10);
export const COMPARED = { from: daysAgo(HISTORY_DAYS), to: daysAgo(COMPARED_TO) };
