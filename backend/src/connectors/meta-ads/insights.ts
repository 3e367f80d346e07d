import type { Slice } from '../kit/contract.js';
import { countDays } from '../kit/days.js';
import type { Parameters } from './api.js';
import { fieldsOf } from './rows.js';
import type { Report } from './streams.js';

/** Approximate number of rows per object of each level and per breakdown. */
const levelWeight: Record<Report['level'], number> = { account: 1, campaign: 20, adset: 60, ad: 150 };
const breakdownWeight: Record<string, number> = { age: 7, gender: 3, country: 5, publisher_platform: 4, platform_position: 3 };
/** Above this expected number of rows, a synchronous report may exceed Meta's time limit. */
const SYNCHRONOUS_ROWS = 1_500;

export const insightsPath = ({ account }: Pick<Slice, 'account'>): string => `act_${account.externalId}/insights`;

export function isLarge(report: Report, slice: Slice): boolean {
  const broken = report.stream.breakdowns.reduce((weight, name) => weight * (breakdownWeight[name] ?? 1), 1);
  return countDays(slice.from, slice.to) * levelWeight[report.level] * broken > SYNCHRONOUS_ROWS;
}

/** Parameters of a slice. `campaignIds` limits it to some campaigns if one day is still too large. */
export function insightsParameters(report: Report, slice: Slice, windows: string[], campaignIds?: string[]): Parameters {
  const { level, stream, isByAction } = report;
  return {
    level,
    fields: fieldsOf(report).join(','),
    ...rangeOf(slice),
    time_increment: '1',
    ...(!isByAction && stream.breakdowns.length > 0 && { breakdowns: stream.breakdowns.join(',') }),
    ...(isByAction && windows.length > 0 && { action_attribution_windows: JSON.stringify(windows) }),
    ...filtering(level, campaignIds),
  };
}

/** Totals of the account, including archived and deleted objects: one row per day, or one for the range. */
export function accountParameters(range: Pick<Slice, 'from' | 'to'>, { isByDay }: { isByDay: boolean }): Parameters {
  return { level: 'account', fields: 'impressions,clicks,spend', ...rangeOf(range), ...(isByDay && { time_increment: '1' }) };
}

export function campaignListParameters(slice: Slice): Parameters {
  return { level: 'campaign', fields: 'campaign_id,impressions', ...rangeOf(slice), ...filtering('campaign') };
}

function rangeOf({ from, to }: Pick<Slice, 'from' | 'to'>): Parameters {
  return { time_range: JSON.stringify({ since: from, until: to }) };
}

/**
 * Without a filter for every status, lists below the account omit archived and deleted objects, while the account totals include
 * them (Meta, "Manage your ad object's status"; tap-facebook, `include_deleted`).
 */
function filtering(level: Report['level'], campaignIds?: string[]): Parameters {
  if (level === 'account') return {};
  const filters = [
    { field: `${level}.effective_status`, operator: 'IN', value: effectiveStatuses[level] },
    ...(campaignIds ? [{ field: 'campaign.id', operator: 'IN', value: campaignIds }] : []),
  ];
  return { filtering: JSON.stringify(filters) };
}

/**
 * All values of each level's own enum. A value of another level's enum fails the request (facebook-python-business-sdk #269).
 * Source: EffectiveStatus of Campaign, AdSet and Ad in facebook-nodejs-business-sdk 24.0.1 and facebook-python-business-sdk.
 */
const campaignStatuses = ['ACTIVE', 'ARCHIVED', 'DELETED', 'IN_PROCESS', 'PAUSED', 'WITH_ISSUES'];
const adSetStatuses = [...campaignStatuses, 'CAMPAIGN_PAUSED'];
const effectiveStatuses: Record<Exclude<Report['level'], 'account'>, string[]> = {
  campaign: campaignStatuses,
  adset: adSetStatuses,
  ad: [...adSetStatuses, 'ADSET_PAUSED', 'DISAPPROVED', 'PENDING_BILLING_INFO', 'PENDING_REVIEW', 'PREAPPROVED'],
};
