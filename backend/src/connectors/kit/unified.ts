import type { Column, ReadContext, Page, ProviderName, Slice, Stream, StreamVerification } from './contract.js';
import { LINE_END, TAB } from './rows/row-text.js';

/**
 * One table with the same columns for the campaigns of all platforms. It contains what all platforms have in common; each
 * platform's own tables contain more.
 */
const columns: Column[] = [
  {
    name: 'date',
    type: 'date',
    description:
      "Calendar day in the account's own time zone. Microsoft Advertising: the day in the report. The report is requested in that time zone, but Microsoft's guide says that report data is always relative to UTC.",
  },
  { name: 'account_id', type: 'text', description: "The platform's id of the ad account." },
  { name: 'platform', type: 'text', description: 'google_ads, meta_ads or microsoft_ads.' },
  { name: 'level', type: 'text', description: 'Entity that the row describes: campaign. Sum rows of one level only.' },
  { name: 'campaign_id', type: 'text', description: "The platform's id of the campaign. Renaming does not change it." },
  { name: 'campaign_name', type: 'text', description: 'Name of the campaign when the row was last loaded.' },
  { name: 'account_name', type: 'text', description: 'Name of the account when the row was last loaded.' },
  {
    name: 'account_time_zone',
    type: 'text',
    description: "IANA time zone of the account. The row's day begins and ends in it; for Microsoft Advertising see date.",
  },
  { name: 'impressions', type: 'bigint', description: 'Number of times an ad was shown.' },
  {
    name: 'clicks',
    type: 'bigint',
    description: 'Clicks as the platform bills or counts them. Meta counts all clicks on the ad.',
  },
  { name: 'cost_micros', type: 'bigint', description: 'Cost in millionths of the currency, as the platform reports it.' },
  { name: 'currency', type: 'text', description: 'ISO 4217 currency of cost_micros and conversion_value.' },
  {
    name: 'conversions',
    type: 'double',
    description: "Conversions by the platform's own attribution; Meta: purchases. Definitions differ between platforms.",
  },
  { name: 'conversion_value', type: 'double', description: "Value of these conversions in the account's currency." },
  {
    name: 'exchange_rate',
    type: 'double',
    description: 'Units of converted_currency for one unit of currency on that day; null without a rate.',
  },
  {
    name: 'converted_currency',
    type: 'text',
    description: "The organization's currency when the row was loaded; null without a rate.",
  },
  {
    name: 'converted_cost_micros',
    type: 'bigint',
    description: 'Cost in millionths of converted_currency, rounded to the nearest; null without a rate.',
  },
];

/** The connector fills all columns except the last three, which are filled here. */
export const unifiedColumns: readonly Column[] = columns;
const CONVERTED_COLUMNS = 3;
export const convertedColumns: readonly string[] = columns.slice(-CONVERTED_COLUMNS).map(({ name }) => name);

export function unifiedStream(
  platform: ProviderName,
  lookbackReason: string,
  verification: StreamVerification = 'control_totals',
): Stream {
  return {
    name: 'ad_performance_daily',
    title: 'All platforms by day',
    description:
      'Campaigns of every platform in one table: one row per platform, campaign and day, with the cost as reported and in your currency.',
    table: 'ad_performance_daily',
    verification,
    columns,
    key: ['account_id', 'date', 'platform', 'level', 'campaign_id'],
    level: 'campaign',
    breakdowns: [],
    metrics: { costMicros: 'cost_micros', clicks: 'clicks', impressions: 'impressions' },
    scope: { column: 'platform', value: platform },
    lookbackReason,
  };
}

/** Values that are equal in all rows of a slice of the unified table. */
export function unifiedConstants({ account, stream }: Pick<Slice, 'account' | 'stream'>): Record<string, string> {
  return {
    account_id: account.externalId,
    platform: stream.scope?.value ?? '',
    level: 'campaign',
    account_name: account.name,
    account_time_zone: account.timeZone,
    currency: account.currency,
  };
}

/** Whether its rows have a converted cost. */
export const isUnified = (stream: Stream): boolean => stream.columns === columns;

/** Fills in the converted cost if the organization has a rate for the day. Pages of other streams pass unchanged. */
export async function* withExchange(context: ReadContext, slice: Slice, pages: AsyncIterable<Page>): AsyncGenerator<Page> {
  const { exchange } = isUnified(slice.stream) ? context : { exchange: null };
  for await (const page of pages) yield exchange ? converted(exchange, slice, page) : page;
}

const dateColumn = columns.findIndex(({ name }) => name === 'date');
const costColumn = columns.findIndex(({ name }) => name === 'cost_micros');
const tab = String.fromCharCode(TAB);
const lineEnd = String.fromCharCode(LINE_END);

function converted(exchange: NonNullable<ReadContext['exchange']>, { account }: Slice, page: Page): Page {
  const lines = page.lines.toString('utf8').split(lineEnd).slice(0, -1);
  const text = lines.map((line) => convertLine(exchange, account.currency, line) + lineEnd).join('');
  return { ...page, lines: Buffer.from(text) };
}

function convertLine(exchange: NonNullable<ReadContext['exchange']>, currency: string, line: string): string {
  const cells = line.split(tab);
  const rate = exchange.rate(currency, cells[dateColumn] ?? '');
  if (rate === null) return line;
  const cost = Math.round(Number(cells[costColumn]) * rate);
  return [...cells.slice(0, -CONVERTED_COLUMNS), rate, exchange.currency, cost].join(tab);
}
