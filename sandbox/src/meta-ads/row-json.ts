import { toDate } from '../clock.ts';
import type { Account } from './accounts.ts';
import type { InsightsQuery } from './insights-query.ts';
import { metric, windows } from './numbers.ts';
import type { Row } from './report.ts';

type Json = Record<string, unknown>;

/** A row in Meta's format: every number is text, and empty fields are omitted. */
export function rowJson(query: InsightsQuery, account: Account, row: Row): Json {
  const json: Json = {};
  for (const field of query.fields) {
    const value = fieldValue(field, query, account, row);
    if (value !== undefined) json[field] = value;
  }
  query.breakdowns.forEach((name, index) => (json[name] = row.values[index]));
  return { ...json, date_start: toDate(row.fromDay), date_stop: toDate(row.toDay) };
}

function fieldValue(field: string, query: InsightsQuery, account: Account, row: Row): unknown {
  const entity = entityFields(account, query, row)[field];
  if (entity !== undefined) return entity;
  const { numbers } = row;
  const [impressions = 0, clicks = 0, spend = 0, reach = 0, linkClicks = 0] = numbers;
  const money = (spend * account.moneyUnitMicros) / 1_000_000;
  switch (field) {
    case 'impressions':
      return String(impressions);
    case 'clicks':
      return String(clicks);
    case 'spend':
      return moneyText(account, spend);
    case 'reach':
      return String(reach);
    case 'frequency':
      return ratio(impressions, reach);
    case 'inline_link_clicks':
      return linkClicks === 0 ? undefined : String(linkClicks);
    case 'cpc':
      return ratio(money, clicks);
    case 'cpm':
      return ratio(money * 1_000, impressions);
    case 'ctr':
      return ratio(clicks * 100, impressions) ?? '0';
    case 'actions':
      return actionList(actionCounts(numbers), query.windows, String);
    case 'action_values':
      return actionList(actionValues(numbers), query.windows, (units) => moneyText(account, units));
    case 'purchase_roas':
      return roas(numbers, spend);
    default:
      return undefined;
  }
}

/** Fields below the report's level are omitted, not rejected. */
function entityFields(account: Account, { level }: InsightsQuery, { ad }: Row): Json {
  const fields: Json = { account_id: account.id, account_name: account.name, account_currency: account.currency };
  if (level === 'account') return fields;
  const campaign = { campaign_id: ad.campaign.id, campaign_name: ad.campaign.name, objective: ad.campaign.objective };
  if (level === 'campaign') return { ...fields, ...campaign };
  const adSet = { adset_id: ad.adSet.id, adset_name: ad.adSet.name };
  return { ...fields, ...campaign, ...adSet, ...(level === 'ad' && { ad_id: ad.id, ad_name: ad.name }) };
}

/** Counts by window, in the order of `windows`. */
type Action = [type: string, counts: number[]];

/** The same purchase has three action types, so the sum of all actions counts it three times. */
export function actionCounts(numbers: Float64Array): Action[] {
  const same = (at: number): number[] => [numbers[at] ?? 0, numbers[at] ?? 0, numbers[at] ?? 0, 0];
  const four = (at: number): number[] => [...numbers.subarray(at, at + windows.length)];
  return [
    ['link_click', same(metric.linkClicks)],
    ['post_engagement', same(metric.engagements)],
    ['page_engagement', same(metric.engagements)],
    ['landing_page_view', same(metric.landingPageViews)],
    ['omni_landing_page_view', same(metric.landingPageViews)],
    ...named(['add_to_cart', 'offsite_conversion.fb_pixel_add_to_cart', 'omni_add_to_cart'], four(metric.addToCart)),
    ...named(['purchase', 'offsite_conversion.fb_pixel_purchase', 'omni_purchase'], four(metric.purchases)),
  ];
}

export function actionValues(numbers: Float64Array): Action[] {
  const values = [...numbers.subarray(metric.purchaseValue, metric.purchaseValue + windows.length)];
  return named(['purchase', 'offsite_conversion.fb_pixel_purchase', 'omni_purchase'], values);
}

function named(types: string[], counts: number[]): Action[] {
  return types.map((type): Action => [type, counts]);
}

/** Default attribution of an ad set: seven days after a click and one after a view. */
export function defaultCount(counts: number[]): number {
  return (counts[1] ?? 0) + (counts[3] ?? 0);
}

function actionList(actions: Action[], asked: string[], text: (count: number) => string): Json[] | undefined {
  const list = actions.flatMap(([type, counts]) => {
    const entry: Json = {};
    windows.forEach((window, index) => {
      if (asked.includes(window) && counts[index]) entry[window] = text(counts[index]);
    });
    const value = defaultCount(counts);
    const isEmpty = value === 0 && Object.keys(entry).length === 0;
    return isEmpty ? [] : [{ action_type: type, value: text(value), ...entry }];
  });
  return list.length > 0 ? list : undefined;
}

function roas(numbers: Float64Array, spend: number): Json[] | undefined {
  const value = defaultCount([...numbers.subarray(metric.purchaseValue, metric.purchaseValue + windows.length)]);
  return value === 0 || spend === 0 ? undefined : [{ action_type: 'omni_purchase', value: (value / spend).toFixed(6) }];
}

/** Major units without trailing zeros: `5339.5`. */
function moneyText(account: Account, units: number): string {
  return account.moneyUnitMicros === 1_000_000 ? String(units) : (units / 100).toFixed(2).replace(/\.?0+$/, '');
}

function ratio(dividend: number, divisor: number): string | undefined {
  return divisor === 0 ? undefined : (dividend / divisor).toFixed(6).replace(/\.?0+$/, '');
}
