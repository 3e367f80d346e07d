import type { ConnectorContext } from '../connectors/kit/contract.js';
import { ConnectorError, RetryLater } from '../connectors/kit/errors.js';
import { HTTP_TIMEOUT } from '../connectors/kit/http.js';

/** Requests to Stripe that take at most this long together. More time is an error of Stripe; an abort by `signal` is none. */
export async function withinTime<Result>(
  signal: AbortSignal,
  milliseconds: number,
  work: (context: ConnectorContext) => Promise<Result>,
): Promise<Result> {
  const timeout = AbortSignal.timeout(milliseconds);
  try {
    return await work({ signal: AbortSignal.any([signal, timeout]), onRequest: () => undefined });
  } catch (error) {
    if (signal.aborted || !timeout.aborted || error instanceof ConnectorError) throw error;
    throw new RetryLater(
      {
        code: HTTP_TIMEOUT,
        message: `Stripe did not answer all requests within ${milliseconds / 1_000} s.`,
        action: 'No action needed: Tributary retries automatically',
      },
      { cause: error },
    );
  }
}
