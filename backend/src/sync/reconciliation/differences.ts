import type { AdAccount } from '../../connectors/kit/contract.js';
import { addDays } from '../../connectors/kit/days.js';
import type { Classified, DifferingDay } from './classify-difference.js';
import type { ReconciledSums, ReconciliationDifference } from './reconciliations.dto.js';

/** The most serious first: the list is limited. */
const ORDER: ReconciliationDifference['kind'][] = ['lost', 'restated', 'late', 'excluded'];

export interface ClassifiedDay extends DifferingDay, Classified {}

/** Combines consecutive days of the same stream, account and reason into one entry. */
export function toRanges(days: ClassifiedDay[], accounts: AdAccount[]): ReconciliationDifference[] {
  const byId = new Map(accounts.map((account) => [account.externalId, account]));
  const ranges: ReconciliationDifference[] = [];
  for (const day of days.toSorted(byPlace)) {
    const last = ranges.at(-1);
    const isNext =
      last?.stream === day.stream &&
      last.accountId === day.accountId &&
      last.reason === day.reason &&
      addDays(last.to, 1) === day.day;
    const range = isNext ? last : started(day, byId.get(day.accountId));
    if (!isNext) ranges.push(range);
    range.to = day.day;
    range.days += 1;
    range.loaded = add(range.loaded, day.loaded);
    range.platform = add(range.platform, day.platform);
  }
  return ranges.toSorted((left, right) => ORDER.indexOf(left.kind) - ORDER.indexOf(right.kind));
}

const placeOf = ({ stream, accountId, reason, day }: ClassifiedDay): string => [stream, accountId, reason, day].join('\0');
const byPlace = (left: ClassifiedDay, right: ClassifiedDay): number => (placeOf(left) < placeOf(right) ? -1 : 1);

const started = (
  { kind, reason, stream, accountId, day }: ClassifiedDay,
  account: AdAccount | undefined,
): ReconciliationDifference => ({
  kind,
  reason,
  stream,
  accountId,
  accountName: account?.name ?? accountId,
  currency: account?.currency ?? null,
  from: day,
  to: day,
  days: 0,
  loaded: { costMicros: '0', clicks: 0, impressions: 0 },
  platform: { costMicros: '0', clicks: 0, impressions: 0 },
});

const add = (sums: ReconciledSums, day: DifferingDay['loaded']): ReconciledSums => ({
  costMicros: String(BigInt(sums.costMicros) + day.costMicros),
  clicks: sums.clicks + Number(day.clicks),
  impressions: sums.impressions + Number(day.impressions),
});
