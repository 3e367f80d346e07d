import { z } from 'zod';
import type { HttpAnswer } from '../kit/http.js';

/** The raw error of a failed request or job. */
export class BigQueryFailure extends Error {
  override name = 'BigQueryFailure';
  /** HTTP status of the answer; 200 for a failed job. */
  readonly status: number;
  /** BigQuery's error reason, such as `rateLimitExceeded`; empty if it returned none. */
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

/** Reasons of Google's API gateway, which answers before BigQuery. Only its details contain the exact reason. */
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

/**
 * A conflict between transactions has no reason of its own; only its message identifies it. Too many waiting statements of a table
 * have the reason of a query that is too large, which a smaller one would not change.
 */
const CONCURRENT = /due to concurrent update|Could not serialize access|too many DML statements outstanding/i;

function reasonOf(reason: string, message: string): string {
  return CONCURRENT.test(message) ? 'concurrentUpdate' : reason;
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
