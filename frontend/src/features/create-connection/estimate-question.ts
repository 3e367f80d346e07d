import type { Draft } from '~/api/connections/connection-draft';
import type { EstimateQuestion } from '~/api/types';
import { toLeftOutBody } from '~/components/stream-table/excluded-columns';

/** What the estimate of a draft is made for; null until the draft has everything. */
export function questionOf({
  sourceId,
  destinationId,
  streams,
  leftOut,
  schedule,
  historyFrom,
  lookbackDays,
}: Draft): EstimateQuestion | null {
  if (!sourceId || !destinationId || !streams || !schedule || !historyFrom) return null;
  return { sourceId, destinationId, streams, leftOut: toLeftOutBody(leftOut, streams), schedule, historyFrom, lookbackDays };
}
