import { RetryLater } from './errors.js';
import { HTTP_TIMEOUT } from './http.js';

interface Limit {
  /** Used in the message: `Google Ads`. */
  serviceName: string;
  milliseconds: number;
  /** What the user does who waits. Absent: the request is retried automatically. */
  action?: string;
  /** An abort by the caller, which is no error of the platform. */
  signal?: AbortSignal | undefined;
}

/** Requests to a platform that take at most this long together. More time is an error of the platform. */
export async function withinTime<Result>(
  { serviceName, milliseconds, action = 'No action needed: Tributary retries automatically', signal }: Limit,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const timeout = AbortSignal.timeout(milliseconds);
  try {
    return await work(signal ? AbortSignal.any([signal, timeout]) : timeout);
  } catch (error) {
    if (signal?.aborted || !timeout.aborted || !isCausedBy(error, timeout.reason)) throw error;
    throw new RetryLater(
      {
        code: HTTP_TIMEOUT,
        message: `${serviceName} did not answer all requests within ${milliseconds / 1_000} s.`,
        action,
      },
      { cause: error },
    );
  }
}

/** Node wraps the reason of an abort, for example in timers. */
function isCausedBy(error: unknown, reason: unknown): boolean {
  if (error === reason) return true;
  return error instanceof Error && error.cause !== undefined && isCausedBy(error.cause, reason);
}
