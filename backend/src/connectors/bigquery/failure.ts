import { z } from 'zod';
import type { HttpAnswer } from '../kit/http.js';

/** What BigQuery said when a request or a job failed, before it is put into the user's words. */
export class BigQueryFailure extends Error {
  override name = 'BigQueryFailure';
  /** Of the answer; of a job that failed 200. */
  readonly status: number;
  /** BigQuery's own word, such as `rateLimitExceeded`; empty when it gave none. */
  readonly reason: string;
  readonly retryAfterSeconds: number | null;
  readonly requestId: string | null;

  constructor(fact: {
    status: number;
    reason: string;
    message: string;
    retryAfterSeconds?: number | null;
    requestId?: string | null;
  }) {
    super(fact.message);
    this.status = fact.status;
    this.reason = reasonOf(fact.reason, fact.message);
    this.retryAfterSeconds = fact.retryAfterSeconds ?? null;
    this.requestId = fact.requestId ?? null;
  }
}

const errorBody = z.object({
  error: z.object({
    message: z.string().optional(),
    errors: z.array(z.object({ reason: z.string().optional() })).optional(),
    details: z.array(z.object({ reason: z.string().optional() })).optional(),
  }),
});

/** Google's front door, before BigQuery itself is reached, is exact only in its details. */
const frontDoorReasons = new Set(['ACCESS_TOKEN_SCOPE_INSUFFICIENT', 'SERVICE_DISABLED']);

export async function readFailure(answer: HttpAnswer): Promise<BigQueryFailure> {
  const { status, headers, requestId } = answer;
  const parsed = errorBody.safeParse(parseOrNull(await answer.text()));
  const { message = '', errors = [], details = [] } = parsed.success ? parsed.data.error : {};
  const frontDoor = details.find((detail) => frontDoorReasons.has(detail.reason ?? ''));
  const reason = frontDoor?.reason ?? errors[0]?.reason ?? '';
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN);
  return new BigQueryFailure({
    status,
    reason,
    message,
    requestId,
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : null,
  });
}

/** A conflict between transactions has no reason of its own, only its words. */
function reasonOf(reason: string, message: string): string {
  return /due to concurrent update|Could not serialize access/i.test(message) ? 'concurrentUpdate' : reason;
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
