import type { MetricSums, Stream } from '../../connectors/kit/contract.js';
import type { ReconciliationDifference } from './reconciliations.dto.js';

type Sums = Omit<MetricSums, 'rows'>;

/** A loaded day whose sums differ from the provider's totals of the account. */
export interface DifferingDay {
  stream: string;
  accountId: string;
  day: string;
  state: 'provisional' | 'final' | 'restated' | 'empty_confirmed';
  rows: number;
  loaded: Sums;
  platform: Sums;
  lastVerifiedAt: Date;
  /** When these totals were first read. */
  seenAt: Date;
  /** When the totals changed to the present ones; null: they have not changed since the first reconciliation. */
  changedAt: Date | null;
  /** When the day was last marked as missing because of these totals. */
  repairedAt: Date | null;
  /** Difference of the costs that the rounding of rows explains. */
  roundingMicros: bigint;
}

export interface Classified {
  kind: ReconciliationDifference['kind'];
  reason: string;
}

/**
 * Explains why a loaded day differs from the provider's total. The order matters: what is not selected is never repaired, nor is a day
 * that may still change, and a day that was loaded again for the same total is not repaired twice.
 */
export function classify(
  day: DifferingDay,
  { verification }: Pick<Stream, 'verification'>,
  { isWhole, isSettled, isSelected = true }: { isWhole: boolean; isSettled: boolean; isSelected?: boolean },
): Classified {
  if (!isSelected)
    return { kind: 'excluded', reason: 'The stream is not selected any more, so its loaded rows are not updated.' };
  if (!isSettled || day.state === 'provisional')
    return { kind: 'late', reason: 'The platform may still change these days. The next runs read them again.' };
  const isLess = isAtMost(day.loaded, day.platform, day.roundingMicros);
  if (day.repairedAt !== null && day.lastVerifiedAt > day.repairedAt)
    return {
      kind: 'excluded',
      reason: !isWhole && isLess ? partReason(verification) : 'The days were loaded again for this total, with the same result.',
    };
  if (day.changedAt !== null && day.changedAt > day.lastVerifiedAt)
    return { kind: 'restated', reason: 'The platform changed its total after the days had been loaded.' };
  if (!isWhole && isLess) return { kind: 'excluded', reason: partReason(verification) };
  if (!isLess) return { kind: 'restated', reason: 'The platform’s total is lower than the loaded rows.' };
  if (day.rows === 0) return { kind: 'lost', reason: 'No rows are loaded, although the account had traffic.' };
  const wasKnown = (day.changedAt ?? day.seenAt) <= day.lastVerifiedAt;
  // Rows that were compared with the provider's totals when they were loaded were complete at that time.
  if (!wasKnown && verification === 'control_totals')
    return { kind: 'restated', reason: 'The rows were equal to the platform’s totals when they were loaded.' };
  return { kind: 'lost', reason: 'The rows add up to less than the platform’s total, which has not changed since.' };
}

const isAtMost = (left: Sums, right: Sums, roundingMicros: bigint): boolean =>
  left.costMicros <= right.costMicros + roundingMicros && left.clicks <= right.clicks && left.impressions <= right.impressions;

const partReason = (verification: Stream['verification']): string =>
  verification === 'share_of_total'
    ? 'The platform hides some rows of this stream: search terms that are rare, or people it knows too little about.'
    : 'The stream lists only a part of the account’s traffic: some campaign types have no such rows.';
