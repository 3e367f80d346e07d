import type { CatalogStream } from '~/api/types';

type Column = CatalogStream['columns'][number];

const NAMES = ['campaign_name', 'ad_group_name', 'ad_set_name', 'ad_name', 'keyword_text', 'search_term'];
const RANKED = ['date', 'account_name', ...NAMES, 'impressions', 'clicks', 'cost_micros'];

/** Rank of a column: day, account, names, metrics, then the rest in the original order. */
function rankOf(name: string): number {
  const rank = RANKED.indexOf(name);
  return rank < 0 ? RANKED.length : rank;
}

export interface SampleColumn {
  name: string;
  /** Index in the rows of the sample. */
  index: number;
  isNumber: boolean;
}

/** Columns of a sample, most relevant first. */
export function orderSample(columns: string[], known: Column[] = []): SampleColumn[] {
  const typeOf = new Map(known.map(({ name, type }) => [name, type]));
  return columns
    .map((name, index) => ({ name, index, isNumber: ['bigint', 'double'].includes(typeOf.get(name) ?? '') }))
    .sort((left, right) => rankOf(left.name) - rankOf(right.name) || left.index - right.index);
}
