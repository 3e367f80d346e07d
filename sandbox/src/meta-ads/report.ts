import type { Account } from './accounts.ts';
import { cellCount, divide } from './breakdowns.ts';
import { campaignsOf, type Ad, type Status } from './campaigns.ts';
import type { InsightsQuery } from './insights-query.ts';
import { addNumbers, adNumbers, metricCount } from './numbers.ts';

export interface ReadContext {
  account: Account;
  /** In the account's own calendar. */
  today: number;
  revisionOf: (dayNumber: number) => number;
  /** Growth factor of a day's metrics since the first read, by the day's age; 1: none. */
  growthOf?: (ageDays: number) => number;
  /** Share of the total that the parts of a breakdown have, in percent; 100 without a fault. */
  breakdownPercent?: number;
  /** Day on which the report has one impression more than those of other levels; absent without a fault. */
  differsOn?: number;
}

export interface Row {
  ad: Ad;
  fromDay: number;
  toDay: number;
  /** In the order of the query's breakdowns. */
  values: string[];
  numbers: Float64Array;
}

/** Maximum rows of a report, which Meta's limits check before rows are created. */
export function estimateRows(query: InsightsQuery, account: Account): number {
  const days = query.toDay - query.fromDay + 1;
  const periods = query.increment === null ? 1 : Math.ceil(days / query.increment);
  const objects = new Set(adsOf(query, account).map((ad) => objectId(query, ad))).size;
  return periods * objects * cellCount(query.breakdowns, account);
}

/** Rows by object, each with its days, so pages can end between days. Only delivered objects have rows. */
export function* readRows(query: InsightsQuery, context: ReadContext): Generator<Row> {
  const objects = new Map<string, Ad[]>();
  for (const ad of adsOf(query, context.account)) {
    const id = objectId(query, ad);
    objects.set(id, [...(objects.get(id) ?? []), ad]);
  }
  const length = query.increment ?? query.toDay - query.fromDay + 1;
  for (const ads of objects.values()) {
    for (let fromDay = query.fromDay; fromDay <= query.toDay; fromDay += length) {
      yield* periodRows(query, context, ads, fromDay, Math.min(query.toDay, fromDay + length - 1));
    }
  }
}

function* periodRows(query: InsightsQuery, context: ReadContext, ads: Ad[], fromDay: number, toDay: number): Generator<Row> {
  const rows = new Map<string, Row>();
  const add = (ad: Ad, values: string[], numbers: Float64Array): void => {
    const key = values.join('|');
    let row = rows.get(key);
    if (!row) rows.set(key, (row = { ad, fromDay, toDay, values, numbers: new Float64Array(metricCount) }));
    addNumbers(row.numbers, numbers);
  };
  for (let dayNumber = Math.max(fromDay, context.today - 401); dayNumber <= Math.min(toDay, context.today); dayNumber++) {
    const ageDays = context.today - dayNumber;
    const growth = context.growthOf?.(ageDays) ?? 1;
    const day = { dayNumber, ageDays, revision: context.revisionOf(dayNumber) };
    for (const ad of ads) {
      const numbers = scaled(adNumbers(context.account, ad, day), growth);
      if (!numbers) continue;
      if (query.breakdowns.length === 0) add(ad, [], numbers);
      else
        for (const part of divide(numbers, query.breakdowns, context.account, ad.seed + dayNumber))
          add(ad, part.values, scaled(part.numbers, (context.breakdownPercent ?? 100) / 100));
    }
  }
  yield* rows.values();
}

/**
 * Without a status filter, a list below the account omits archived and deleted objects, while the account counts them (Meta,
 * "Manage your ad object's status"). "If you query using filtering, status filtering will be applied by default to return only
 * Active objects": any other filter also omits paused ones.
 */
function adsOf(query: InsightsQuery, account: Account): Ad[] {
  const ads = campaignsOf(account).flatMap((campaign) => campaign.ads);
  const hasStatus = query.filters.some(({ field }) => field.endsWith('.effective_status'));
  const shown = (status: Status): boolean => (query.filters.length === 0 ? !goneStatuses.has(status) : status === 'ACTIVE');
  return ads.filter(
    (ad) =>
      (hasStatus || query.level === 'account' || shown(statusOf(query, ad))) &&
      query.filters.every(({ field, values }) => values.includes(attribute(ad, field))),
  );
}

const goneStatuses = new Set<Status>(['ARCHIVED', 'DELETED']);

function scaled<Numbers extends Float64Array | null>(numbers: Numbers, factor: number): Numbers {
  return factor === 1 || numbers === null ? numbers : (numbers.map((number) => Math.floor(number * factor)) as Numbers);
}

function attribute(ad: Ad, field: string): string {
  const [kind, name] = field.split('.');
  const object = kind === 'campaign' ? ad.campaign : kind === 'adset' ? ad.adSet : ad;
  return name === 'id' ? object.id : object.effectiveStatus;
}

function statusOf({ level }: InsightsQuery, ad: Ad): Status {
  return level === 'ad' ? ad.effectiveStatus : level === 'adset' ? ad.adSet.effectiveStatus : ad.campaign.effectiveStatus;
}

function objectId({ level }: InsightsQuery, ad: Ad): string {
  if (level === 'account') return '';
  return level === 'ad' ? ad.id : level === 'adset' ? ad.adSet.id : ad.campaign.id;
}
