import type { Metric, Stream } from '../kit/contract.js';

/** A column that is summed, and its event property. */
export interface AmountColumn {
  property: string;
  column: number;
  /** The column has millionths, the event whole units. */
  isMicros: boolean;
}

export interface TextColumn {
  property: string;
  column: number;
  type: 'text' | 'number' | 'boolean';
}

/** Maps a stream's columns to event properties. */
export interface Shape {
  dayColumn: number;
  /** Without account and day. */
  keyColumns: number[];
  amounts: AmountColumn[];
  texts: TextColumn[];
  /** Properties with the same value in every event of the stream. */
  fixed: Record<string, string>;
  /** The properties of the three metrics; null if the report has none. */
  metrics: Record<Metric, string | null>;
}

/** Marks our events among others with the same name. */
export const LOADED_BY = 'Tributary';

/** https://docs.mixpanel.com/docs/tracking-methods/integrations/ad-spend: `source` and the UTM source of each platform. */
const platforms: Record<string, { source: string; utmSource: string }> = {
  google_ads: { source: 'Google', utmSource: 'google' },
  meta_ads: { source: 'Facebook', utmSource: 'facebook' },
  microsoft_ads: { source: 'Microsoft', utmSource: 'bing' },
};

/** Properties by which amounts are summed, so that an equal amount of another customer or currency is a change. */
export const groupProperties = ['customer_id', 'converted_currency'];

const shapes = new WeakMap<Stream, Shape>();

export function shapeOf(stream: Stream): Shape {
  const known = shapes.get(stream) ?? makeShape(stream);
  shapes.set(stream, known);
  return known;
}

function makeShape(stream: Stream): Shape {
  const { columns, key, metrics } = stream;
  const indexOf = (name: string) => columns.findIndex((column) => column.name === name);
  const amounts: AmountColumn[] = [];
  const texts: TextColumn[] = [];
  for (const [column, { name, type }] of columns.entries()) {
    const isAmount = !key.includes(name) && (type === 'bigint' || type === 'double') && !isDescriptive(name);
    if (isAmount) amounts.push({ property: amountProperty(name), column, isMicros: name.endsWith('_micros') });
    else if (name !== 'date') texts.push({ property: name, column, type: textType(name, type) });
  }
  return {
    dayColumn: indexOf('date'),
    keyColumns: key.filter((name) => name !== 'account_id' && name !== 'date').map(indexOf),
    amounts,
    texts: [...texts, ...utmColumns(indexOf)],
    fixed: fixedProperties(stream),
    metrics: {
      costMicros: metrics.costMicros && amountProperty(metrics.costMicros),
      clicks: metrics.clicks && amountProperty(metrics.clicks),
      impressions: metrics.impressions && amountProperty(metrics.impressions),
    },
  };
}

/** Numbers that describe a row and cannot be summed. */
function isDescriptive(name: string): boolean {
  return /_(id|rate|ratio|share)$/.test(name);
}

function amountProperty(name: string): string {
  return name.replace(/_micros$/, '');
}

/** Ids are text, because Meta's ids are larger than a number stores exactly. */
function textType(name: string, type: string): TextColumn['type'] {
  if (type === 'boolean') return 'boolean';
  return type === 'double' || (type === 'bigint' && !name.endsWith('_id')) ? 'number' : 'text';
}

/** Names of campaign, ad and keyword, as they usually occur in the ads' links. */
function utmColumns(indexOf: (name: string) => number): TextColumn[] {
  const sources: [string, string[]][] = [
    ['utm_campaign', ['campaign_name']],
    ['utm_content', ['ad_name', 'ad_title', 'ad_group_name', 'ad_set_name', 'adset_name']],
    ['utm_term', ['keyword', 'keyword_text', 'search_term']],
  ];
  return sources.flatMap(([property, names]) => {
    const column = names.map(indexOf).find((index) => index >= 0);
    return column === undefined ? [] : [{ property, column, type: 'text' as const }];
  });
}

function fixedProperties(stream: Stream): Record<string, string> {
  const provider = Object.keys(platforms).find((name) => stream.scope?.value === name || stream.table.startsWith(`${name}_`));
  const platform = provider === undefined ? undefined : platforms[provider];
  return {
    ...(platform && { source: platform.source, utm_source: platform.utmSource, utm_medium: 'cpc' }),
    stream: stream.name,
    level: stream.level,
    loaded_by: LOADED_BY,
  };
}
