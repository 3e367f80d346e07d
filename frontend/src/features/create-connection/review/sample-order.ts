import type { CatalogStream } from '~/api/types';

type Column = CatalogStream['columns'][number];

const NAMES = ['campaign_name', 'ad_group_name', 'ad_set_name', 'ad_name', 'keyword_text', 'search_term'];
const RANKED = ['date', 'account_name', ...NAMES, 'impressions', 'clicks', 'cost_micros'];

/** Where a column stands in a sample: the day, the account, what the row is called, what it counts, then the rest as it comes. */
function rankOf(name: string): number {
  const rank = RANKED.indexOf(name);
  return rank < 0 ? RANKED.length : rank;
}

export interface SampleColumn {
  name: string;
  /** In the sample's own rows. */
  index: number;
  isNumber: boolean;
}

/** The columns of a sample in the order in which people look at them. */
export function orderSample(columns: string[], known: Column[] = []): SampleColumn[] {
  const typeOf = new Map(known.map(({ name, type }) => [name, type]));
  return columns
    .map((name, index) => ({ name, index, isNumber: ['bigint', 'double'].includes(typeOf.get(name) ?? '') }))
    .sort((left, right) => rankOf(left.name) - rankOf(right.name) || left.index - right.index);
}
