import { toDate, toDayNumber } from '../clock.ts';
import type { Account } from './accounts.ts';
import { conversionActionsOf } from './conversion-actions.ts';
import type { Upload } from './conversion-store.ts';
import type { AttributeValue } from './fields.ts';

/** Number of days and jobs in a summary; Google publishes none. */
const historyLength = 7;
const recentDays = 28;
/** From this share of failed events on the status is NEEDS_ATTENTION. Google publishes no threshold. */
const attentionShare = 0.2;

/** Names of the Data Manager API's reasons in the enums of the Google Ads API, where they have one. */
export const uploadErrors: Record<string, string> = {
  CLICK_NOT_FOUND: 'CLICK_NOT_FOUND',
  CONVERSION_PRECEDES_CLICK: 'CONVERSION_PRECEDES_EVENT',
  DUPLICATE_GCLID: 'CLICK_CONVERSION_ALREADY_EXISTS',
  DUPLICATE_TRANSACTION_ID: 'ORDER_ID_ALREADY_IN_USE',
  EVENT_TOO_OLD: 'EXPIRED_EVENT',
  INVALID_CLICK: 'EVENT_NOT_FOUND',
  INVALID_GBRAID: 'UNPARSEABLE_GBRAID',
  INVALID_GCLID: 'UNPARSEABLE_GCLID',
  INVALID_OPERATING_ACCOUNT_FOR_CLICK: 'INVALID_CUSTOMER_FOR_CLICK',
  INVALID_WBRAID: 'UNPARSEABLE_WBRAID',
  ONE_PER_CLICK_CONVERSION_ACTION_NOT_PERMITTED_WITH_BRAID: 'ONE_PER_CLICK_CONVERSION_ACTION_NOT_PERMITTED_WITH_BRAID',
  TOO_RECENT_CLICK: 'TOO_RECENT_EVENT',
};

type Values = Record<string, AttributeValue>;

/** One row per conversion action and client that uploaded to it. Actions without uploads have none. */
export function actionSummaries(account: Account, uploads: Upload[], now: Date): Values[] {
  const resource = 'offline_conversion_upload_conversion_action_summary';
  const names = new Map(conversionActionsOf(account).map(({ id, name }) => [id, name]));
  const groups = Map.groupBy(uploads, ({ actionId, client }) => `${actionId}~${client}`);
  return [...groups].map(([key, group]) => {
    const actionId = key.split('~')[0] as string;
    return {
      [`${resource}.resource_name`]: `customers/${account.id}/offlineConversionUploadConversionActionSummaries/${key}`,
      [`${resource}.conversion_action_id`]: actionId,
      [`${resource}.conversion_action_name`]: names.get(actionId) ?? '',
      ...summaryValues(resource, account, group, now),
    };
  });
}

/** One row per client. */
export function clientSummaries(account: Account, uploads: Upload[], now: Date): Values[] {
  const resource = 'offline_conversion_upload_client_summary';
  const groups = Map.groupBy(uploads, ({ client }) => client);
  return [...groups].map(([client, group]) => {
    const { total, successful, pending } = countAll(group, now);
    return {
      [`${resource}.resource_name`]: `customers/${account.id}/offlineConversionUploadClientSummaries/${client}`,
      [`${resource}.success_rate`]: successful / total,
      [`${resource}.pending_rate`]: pending / total,
      ...summaryValues(resource, account, group, now),
    };
  });
}

function summaryValues(resource: string, account: Account, uploads: Upload[], now: Date): Values {
  const { total, successful, pending } = countAll(uploads, now);
  const last = uploads.at(-1) as Upload;
  const dayOf = ({ at }: Upload): string => localDateTime(at, account).slice(0, 10);
  const days = [...Map.groupBy(uploads, dayOf)].slice(-historyLength);
  const lastDay = (days.at(-1) as [string, Upload[]])[1];
  return {
    [`${resource}.client`]: last.client,
    [`${resource}.status`]: statusOf(lastDay, dayOf(last), now),
    [`${resource}.total_event_count`]: total,
    [`${resource}.successful_event_count`]: successful,
    [`${resource}.pending_event_count`]: pending,
    [`${resource}.last_upload_date_time`]: localDateTime(last.at, account),
    [`${resource}.daily_summaries`]: days.map(([uploadDate, group]) => ({ ...countsJson(group, now), uploadDate })),
    [`${resource}.job_summaries`]: uploads
      .slice(-historyLength)
      .map((upload) => ({ ...countsJson([upload], now), jobId: upload.jobId })),
    [`${resource}.alerts`]: alertsOf(lastDay, now),
  };
}

interface Counts {
  total: number;
  successful: number;
  failed: number;
  pending: number;
}

function countAll(uploads: Upload[], now: Date): Counts {
  const counts: Counts = { total: 0, successful: 0, failed: 0, pending: 0 };
  for (const { successful, failures, readyAt } of uploads) {
    const failed = Object.values(failures).reduce((sum, count) => sum + count, 0);
    const isPending = readyAt > now.getTime();
    counts.total += successful + failed;
    counts.pending += isPending ? successful + failed : 0;
    counts.successful += isPending ? 0 : successful;
    counts.failed += isPending ? 0 : failed;
  }
  return counts;
}

/** int64 as text, zeros are omitted. */
function countsJson(uploads: Upload[], now: Date): Record<string, unknown> {
  const { successful, failed, pending } = countAll(uploads, now);
  return {
    ...(successful > 0 && { successfulCount: String(successful) }),
    ...(failed > 0 && { failedCount: String(failed) }),
    ...(pending > 0 && { pendingCount: String(pending) }),
  };
}

/** Both are generated from the most recent day with uploads. */
function statusOf(lastDay: Upload[], date: string, now: Date): string {
  if (toDayNumber(toDate(Math.floor(now.getTime() / 86_400_000))) - toDayNumber(date) > recentDays) return 'NO_RECENT_UPLOAD';
  const { total, failed } = countAll(lastDay, now);
  if (failed === 0) return 'EXCELLENT';
  return failed / total < attentionShare ? 'GOOD' : 'NEEDS_ATTENTION';
}

function alertsOf(lastDay: Upload[], now: Date): Record<string, unknown>[] {
  const failures = new Map<string, number>();
  for (const upload of lastDay.filter(({ readyAt }) => readyAt <= now.getTime()))
    for (const [reason, count] of Object.entries(upload.failures)) {
      const error = upload.client === 'GOOGLE_ADS_API' ? reason : dataManagerError(reason);
      failures.set(error, (failures.get(error) ?? 0) + count);
    }
  const { total } = countAll(lastDay, now);
  return [...failures].map(([error, count]) => {
    const [category = '', code = ''] = error.split('.');
    return { error: alertCategories.includes(category) ? { [category]: code } : {}, errorPercentage: count / total };
  });
}

/** The categories that an OfflineConversionError can have. Alerts with another one have no code. */
const alertCategories = [
  'collectionSizeError',
  'conversionAdjustmentUploadError',
  'conversionUploadError',
  'dateError',
  'fieldError',
  'notAllowlistedError',
];

function dataManagerError(reason: string): string {
  const name = reason.replace(/^PROCESSING_ERROR_(REASON_)?/, '');
  return `conversionUploadError.${uploadErrors[name] ?? 'UNKNOWN'}`;
}

/** 'yyyy-mm-dd hh:mm:ss' in the account's time zone. */
function localDateTime(at: number, account: Account): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: account.timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(at);
}
