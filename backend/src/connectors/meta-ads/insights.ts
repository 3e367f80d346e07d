import type { Slice } from '../kit/contract.js';
import { countDays } from '../kit/days.js';
import type { Parameters } from './api.js';
import { fieldsOf } from './rows.js';
import type { Report } from './streams.js';

/** Rows in one answer. Meta may send fewer. */
export const PAGE_LIMIT = '500';

/** Roughly how many rows an object of each level, and each breakdown, makes of one. */
const levelWeight: Record<Report['level'], number> = { account: 1, campaign: 20, adset: 60, ad: 150 };
const breakdownWeight: Record<string, number> = { age: 7, gender: 3, country: 5, publisher_platform: 4, platform_position: 3 };
/** Above so many rows expected, a synchronous report is in danger of Meta's time limit. */
const SYNCHRONOUS_ROWS = 1_500;

export const insightsPath = ({ account }: Slice): string => `act_${account.externalId}/insights`;

export function isLarge(report: Report, slice: Slice): boolean {
  const broken = report.stream.breakdowns.reduce((weight, name) => weight * (breakdownWeight[name] ?? 1), 1);
  return countDays(slice.from, slice.to) * levelWeight[report.level] * broken > SYNCHRONOUS_ROWS;
}

/** What is asked for a slice; `campaignIds` narrows it down when one day is still too large. */
export function insightsParameters(report: Report, slice: Slice, windows: string[], campaignIds?: string[]): Parameters {
  const { level, stream, isByAction } = report;
  return {
    level,
    fields: fieldsOf(report).join(','),
    ...rangeOf(slice),
    time_increment: '1',
    limit: PAGE_LIMIT,
    ...(!isByAction && stream.breakdowns.length > 0 && { breakdowns: stream.breakdowns.join(',') }),
    ...(isByAction && windows.length > 0 && { action_attribution_windows: JSON.stringify(windows) }),
    ...(campaignIds && { filtering: JSON.stringify(campaignFilter(level, campaignIds)) }),
  };
}

/** What the account as a whole had: by day, or in one row for the whole range; in parts of a breakdown or not. */
export function accountParameters(slice: Slice, { isByDay, breakdowns }: { isByDay: boolean; breakdowns: string[] }): Parameters {
  return {
    level: 'account',
    fields: 'impressions,clicks,spend',
    ...rangeOf(slice),
    limit: PAGE_LIMIT,
    ...(isByDay && { time_increment: '1' }),
    ...(breakdowns.length > 0 && { breakdowns: breakdowns.join(',') }),
  };
}

export function campaignListParameters(slice: Slice): Parameters {
  return { level: 'campaign', fields: 'campaign_id,impressions', ...rangeOf(slice), limit: PAGE_LIMIT };
}

function rangeOf({ from, to }: Slice): Parameters {
  return { time_range: JSON.stringify({ since: from, until: to }) };
}

/** As soon as anything is filtered for, Meta hides what is not active, unless the statuses are named too. */
function campaignFilter(level: Report['level'], campaignIds: string[]): object[] {
  return [
    { field: 'campaign.id', operator: 'IN', value: campaignIds },
    { field: `${level}.effective_status`, operator: 'IN', value: statuses[level] },
  ];
}

const campaignStatuses = ['ACTIVE', 'PAUSED', 'DELETED', 'ARCHIVED', 'IN_PROCESS', 'WITH_ISSUES'];
const adSetStatuses = [...campaignStatuses, 'CAMPAIGN_PAUSED'];
const adStatuses = [...adSetStatuses, 'ADSET_PAUSED', 'PENDING_REVIEW', 'DISAPPROVED', 'PREAPPROVED', 'PENDING_BILLING_INFO'];
const statuses: Record<Report['level'], string[]> = {
  account: campaignStatuses,
  campaign: campaignStatuses,
  adset: adSetStatuses,
  ad: adStatuses,
};
