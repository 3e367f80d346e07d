import { toDayNumber } from '../clock.ts';
import { familyOf } from './breakdowns.ts';
import { effectiveStatuses, type Kind } from './campaigns.ts';
import { badParameter, GraphError } from './errors.ts';
import { windows } from './numbers.ts';

export const levels = ['account', 'campaign', 'adset', 'ad'] as const;
export type Level = (typeof levels)[number];

/** The parts of an insights request that determine the rows. */
export interface InsightsQuery {
  level: Level;
  fields: string[];
  fromDay: number;
  toDay: number;
  /** Days per row; null: the whole range. */
  increment: number | null;
  breakdowns: string[];
  windows: string[];
  filters: Filter[];
}

export interface Filter {
  field: string;
  values: string[];
}

export const knownFields = new Set([
  ...[
    'account_id',
    'account_name',
    'account_currency',
    'campaign_id',
    'campaign_name',
    'adset_id',
    'adset_name',
    'ad_id',
    'ad_name',
  ],
  ...['objective', 'impressions', 'clicks', 'spend', 'reach', 'frequency', 'cpc', 'cpm', 'ctr', 'inline_link_clicks'],
  ...['actions', 'action_values', 'purchase_roas', 'date_start', 'date_stop'],
]);

const retentionMonths = 37;

/** Parses the parameters of an insights request, from a query string or a form. Meta ignores unknown ones. */
export function readInsightsQuery(parameters: URLSearchParams, today: number): InsightsQuery {
  const breakdowns = readList(parameters.get('breakdowns'));
  if (!familyOf(breakdowns) && breakdowns.length > 0) {
    throw new GraphError(2, `Invalid combination of breakdowns: ${breakdowns.join(', ')}`, { subcode: 1_504_041 });
  }
  return {
    level: readChoice(parameters, 'level', levels, 'account'),
    fields: readFields(parameters.get('fields')),
    ...readRange(parameters.get('time_range'), today),
    increment: readIncrement(parameters.get('time_increment')),
    breakdowns,
    windows: readWindows(parameters.get('action_attribution_windows')),
    filters: readFilters(parameters.get('filtering')),
  };
}

function readFields(text: string | null): string[] {
  const fields = readList(text);
  const unknown = fields.find((field) => !knownFields.has(field));
  if (unknown !== undefined) {
    throw badParameter(
      `${unknown} is not valid for fields param. please check https://developers.facebook.com/docs/marketing-api/reference/ads-insights/ for all valid values`,
    );
  }
  return fields.length > 0 ? fields : ['account_id', 'impressions', 'spend'];
}

function readRange(text: string | null, today: number): { fromDay: number; toDay: number } {
  // Without a range Meta uses the last 30 days.
  if (text === null) return { fromDay: today - 30, toDay: today - 1 };
  const range = parse(text, 'time_range') as { since?: unknown; until?: unknown } | null;
  const [fromDay, toDay] = [toDayNumber(String(range?.since)), toDayNumber(String(range?.until))];
  if (Number.isNaN(fromDay) || Number.isNaN(toDay))
    throw badParameter("Must be a date representation in the format YYYY-MM-DD, for example '2016-01-30'");
  if (fromDay > toDay) throw badParameter('The end date of the time range must not be before its start date');
  const oldest = new Date(today * 86_400_000);
  oldest.setUTCMonth(oldest.getUTCMonth() - retentionMonths);
  if (fromDay * 86_400_000 < oldest.getTime()) {
    throw new GraphError(3_018, '(#3018) The start date of the time range cannot be beyond 37 months from the current date');
  }
  return { fromDay, toDay };
}

function readIncrement(text: string | null): number | null {
  if (text === null || text === 'all_days') return null;
  const increment = Number(text);
  if (!Number.isInteger(increment) || increment < 1 || increment > 90)
    throw badParameter('Param time_increment must be between 1 and 90, or monthly, or all_days');
  return increment;
}

function readWindows(text: string | null): string[] {
  const asked = readList(text);
  const unknown = asked.find((name) => name !== 'default' && !(windows as readonly string[]).includes(name));
  if (unknown !== undefined) throw badParameter(`Param action_attribution_windows has an unknown value: ${unknown}`);
  return asked;
}

function readFilters(text: string | null): Filter[] {
  const filters = text === null ? [] : parse(text, 'filtering');
  if (!Array.isArray(filters)) throw badParameter('Param filtering must be an array');
  return (filters as { field?: unknown; operator?: unknown; value?: unknown }[]).map(({ field, operator, value }) => {
    const isKnown = /^(campaign|adset|ad)\.(id|effective_status)$/.test(String(field));
    if (!isKnown || operator !== 'IN' || !Array.isArray(value))
      throw badParameter(`Filtering field ${String(field)} with operation ${String(operator)} is not supported`);
    const values = value.map(String);
    const [kind, attribute] = String(field).split('.') as [Kind, string];
    const unknown = values.find((one) => attribute === 'effective_status' && !effectiveStatuses[kind].includes(one));
    // Each level has its own enum. A value of another level fails the request (facebook-python-business-sdk #269).
    if (unknown !== undefined)
      throw badParameter(
        `Filtering field ${String(field)} must be one of {${effectiveStatuses[kind].join(', ')}} - got "${unknown}"`,
      );
    return { field: String(field), values };
  });
}

/** A list is written as `a,b` or as JSON. */
function readList(text: string | null): string[] {
  if (text === null || text.trim() === '') return [];
  if (!text.startsWith('[')) return text.split(',').map((part) => part.trim());
  const list = parse(text, 'list');
  return Array.isArray(list) ? list.map(String) : [];
}

function readChoice<Name extends string>(
  parameters: URLSearchParams,
  name: string,
  choices: readonly Name[],
  otherwise: Name,
): Name {
  const text = parameters.get(name);
  const found = choices.find((choice) => choice === (text ?? otherwise));
  if (!found) throw badParameter(`Param ${name} must be one of {${choices.join(', ')}} - got "${text}"`);
  return found;
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badParameter(`Param ${name} must be valid JSON`);
  }
}
