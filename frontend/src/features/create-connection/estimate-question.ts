import type { Draft } from '~/api/connections/connection-draft';
import type { EstimateQuestion } from '~/api/types';
import { toLeftOutBody } from '~/components/stream-table/excluded-columns';
import { toHashedBody } from '~/components/stream-table/hashed-fields';

/** What the estimate of a draft is made for; null until the draft has everything. */
export function questionOf({
  sourceId,
  destinationId,
  streams,
  leftOut,
  hashed,
  schedule,
  historyFrom,
  lookbackDays,
}: Draft): EstimateQuestion | null {
  if (!sourceId || !destinationId || !streams || !schedule || !historyFrom) return null;
  const fields = { leftOut: toLeftOutBody(leftOut, streams), hashedFields: toHashedBody(hashed, streams, leftOut) };
  return { sourceId, destinationId, streams, ...fields, schedule, historyFrom, lookbackDays };
}
