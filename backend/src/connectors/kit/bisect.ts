import type { ConnectorContext } from './contract.js';
import type { ConversionOutcome, SendResult } from './conversion-target.js';
import { RetryLater, type ConnectorError } from './errors.js';

export type Rejection = Extract<ConversionOutcome, { state: 'rejected' }>;

/** A platform's answer to one request with several events. */
export type BatchAnswer =
  | { state: 'taken'; outcomes: ConversionOutcome[] }
  /**
   * Nothing of the request was taken because of some of its events. `invalid` contains those that the platform named, by their
   * index in the request. If it named none, `reason` belongs to an unknown one of them.
   */
  | { state: 'refused'; invalid: ReadonlyMap<number, Rejection>; reason: Rejection }
  /** The request failed for a reason that is not in its events. `outcome` applies to all of them. */
  | { state: 'stopped'; outcome: Extract<ConversionOutcome, { state: 'not_sent' | 'unknown' }>; error: ConnectorError };

/** Enough for about five invalid events among 1,000 that are not named. With more, the rest is left for the next attempt. */
const MAX_REQUESTS = 100;

/**
 * Sends events to a platform that rejects a whole request because of one invalid event. The named invalid events are removed, and
 * the others are sent again. If none is named, the request is halved until the invalid event is alone. Stops between two requests if
 * the context is ending.
 */
export async function sendBisecting<Event>(
  { ending }: Pick<ConnectorContext, 'ending'>,
  events: readonly Event[],
  send: (part: Event[]) => Promise<BatchAnswer>,
  maxRequests = MAX_REQUESTS,
): Promise<SendResult> {
  const outcomes: ConversionOutcome[] = events.map(() => ({ state: 'not_sent' }));
  const open: number[][] = events.length > 0 ? [[...events.keys()]] : [];
  for (let requests = 0; ; requests++) {
    const part = open.pop();
    if (!part || ending?.aborted) return { outcomes, stoppedBy: null };
    if (requests >= maxRequests) return { outcomes, stoppedBy: tooManyRequests() };
    const answer = await send(part.flatMap((index) => events[index] as Event));
    if (answer.state === 'stopped') {
      for (const index of part) outcomes[index] = answer.outcome;
      return { outcomes, stoppedBy: answer.error };
    }
    if (answer.state === 'taken') part.forEach((index, position) => (outcomes[index] = answer.outcomes[position] ?? noOutcome));
    else open.push(...split(part, answer, (index, reason) => (outcomes[index] = reason)));
  }
}

/** The parts that are sent next, the last one first. */
function split(
  part: number[],
  { invalid, reason }: Extract<BatchAnswer, { state: 'refused' }>,
  reject: (index: number, reason: Rejection) => void,
): number[][] {
  const named = part.filter((_, position) => invalid.has(position));
  if (named.length > 0) {
    part.forEach((index, position) => {
      const why = invalid.get(position);
      if (why) reject(index, why);
    });
    return [part.filter((_, position) => !invalid.has(position))].filter((rest) => rest.length > 0);
  }
  const [only] = part;
  if (part.length === 1 && only !== undefined) {
    reject(only, reason);
    return [];
  }
  const middle = Math.ceil(part.length / 2);
  return [part.slice(middle), part.slice(0, middle)];
}

const noOutcome: ConversionOutcome = {
  state: 'unknown',
  code: 'conversions.no_outcome',
  message: 'The platform answered, but not about this event.',
};

const tooManyRequests = (): RetryLater =>
  new RetryLater({
    code: 'conversions.many_rejections',
    message: 'The platform rejected many events of one batch. The rest of the batch is sent later.',
    action: 'Look at the reasons of the rejected events',
  });
