import { formatMoney, hasCurrency } from '~/domain/billing/money';
import { formatExact } from '~/lib/dates';
import { formatDuration } from '~/lib/durations';
import { formatCount, formatDecimal, plural } from '~/lib/numbers';
import type { RunState } from './connection-state';

/** Compared sums of a run, from the API. */
export interface ProofSums {
  rowsRead: number;
  rowsFound: number;
  rowsMissing: number;
  rowsExtra: number;
  costMicrosRead: string | null;
  costMicrosFound: string | null;
  costMicrosMissing: string | null;
  clicksRead: number | null;
  clicksFound: number | null;
  impressionsRead: number | null;
  impressionsFound: number | null;
  conversionsRead: number | null;
  conversionsFound: number | null;
  isEqual: boolean;
  slices: number;
  slicesCompared: number;
  slicesLate: number;
}

export interface ProofTotal extends ProofSums {
  stream: string;
  currency: string;
}

export interface ProofFacts {
  state: RunState;
  endedAt: string | null;
  comparedAt: string | null;
  comparisonMs: number | null;
  rowsRead: number;
  rowsFound: number;
  slices: number;
  slicesCompared: number;
  isEqual: boolean;
  totals: ProofTotal[];
}

export interface Ends {
  /** `Meta Ads` */
  from: string;
  /** `PostgreSQL` */
  to: string;
}

/** The result of the whole run, in one sentence. */
export function proofSentence({ comparedAt, rowsRead, rowsFound }: ProofFacts, { from, to }: Ends): string {
  if (comparedAt === null) return 'Nothing was compared.';
  const read = `${plural(rowsRead, 'row')} read from ${from}`;
  return rowsRead === rowsFound
    ? `${read} = ${plural(rowsFound, 'row')} found in ${to}`
    : `${read}, ${plural(rowsFound, 'row')} found in ${to}`;
}

/** What the destination lacks or has too much, one sentence for each stream and currency that differs. */
export function differenceSentences({ totals }: Pick<ProofFacts, 'totals'>, { to }: Ends): string[] {
  const hasStreams = new Set(totals.map(({ stream }) => stream)).size > 1;
  return totals.flatMap((total) => {
    const ofStream = hasStreams ? ` of ${total.stream}` : '';
    const sentences: string[] = [];
    if (total.rowsMissing > 0) {
      const isCostKnown = total.costMicrosMissing !== null && hasCurrency(total.currency);
      const cost = isCostKnown ? ` (${formatMoney(total.costMicrosMissing, total.currency)})` : '';
      sentences.push(`${plural(total.rowsMissing, 'row')}${cost}${ofStream} missing in ${to}`);
    }
    if (total.rowsExtra > 0) sentences.push(`${plural(total.rowsExtra, 'row')} too many${ofStream} in ${to}`);
    return sentences;
  });
}

/** Why the proof is not complete although no rows are lost; null when it is. */
export function openSentence({ state, slices, slicesCompared, totals, comparedAt }: ProofFacts): string | null {
  if (comparedAt === null) return null;
  const late = totals.reduce((sum, { slicesLate }) => sum + slicesLate, 0);
  const unread = slices - slicesCompared;
  if (late > 0) return `${formatCount(late)} of ${plural(slices, 'chunk')} not verified yet: the rows do not show yet.`;
  if (unread > 0)
    return `${formatCount(unread)} of ${plural(slices, 'chunk')} ${state === 'running' ? 'not compared yet' : 'not read'}.`;
  return null;
}

/** `Compared Fri, Nov 27, 2026, 06:44:00 UTC. The comparison took 13 ms.` */
export function comparedText({ comparedAt, comparisonMs }: Pick<ProofFacts, 'comparedAt' | 'comparisonMs'>): string {
  if (comparedAt === null) return 'Not compared';
  const took = comparisonMs === null ? '' : `. The comparison took ${formatDuration(comparisonMs)}`;
  return `Compared ${formatExact(comparedAt)}${took}.`;
}

export interface MetricText {
  text: string;
  differs: boolean;
}

const METRICS = [
  { word: 'clicks', read: 'clicksRead', found: 'clicksFound' },
  { word: 'impressions', read: 'impressionsRead', found: 'impressionsFound' },
  { word: 'conversions', read: 'conversionsRead', found: 'conversionsFound' },
] as const;

/** Attribution gives conversions in fractions, which are added in another order at each end. */
const isSame = (read: number, found: number): boolean => Math.abs(read - found) < 1e-6;

/** The metrics besides rows and cost that both ends know: `21,734 clicks`, or `21,700 of 21,734 clicks`. */
export const metricTexts = (sums: ProofSums): MetricText[] =>
  METRICS.flatMap(({ word, read: readKey, found: foundKey }) => {
    const [read, found] = [sums[readKey], sums[foundKey]];
    if (read === null || found === null) return [];
    const differs = !isSame(read, found);
    return [{ text: `${differs ? `${formatDecimal(found)} of ` : ''}${formatDecimal(read)} ${word}`, differs }];
  });
