import type { BatchAnswer } from './bisect.js';
import type { AccessTokenProvider } from './contract.js';
import { ConnectorError, RetryLater } from './errors.js';

/** Errors from before the connection was established, so nothing was sent. */
const UNSENT_CODES = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Errors of steps before a request, such as renewing the access token. */
const earlyErrors = new WeakSet<Error>();

/** `failedBatch` recognizes errors of such a step, so that events are not taken as sent. */
export async function beforeSending<Result>(step: Promise<Result>): Promise<Result> {
  try {
    return await step;
  } catch (error) {
    if (error instanceof Error) earlyErrors.add(error);
    throw error;
  }
}

/** The same tokens. Errors while one is renewed come before sending. */
export const recognizable = (tokens: AccessTokenProvider): AccessTokenProvider => ({
  accessToken: (signal, options) => beforeSending(tokens.accessToken(signal, options)),
});

/**
 * What a failed request means for its events. If the connection broke later, the platform may have taken them. Errors that are not
 * of a connector are thrown again.
 */
export function failedBatch(error: unknown): BatchAnswer {
  if (!(error instanceof ConnectorError)) throw error;
  const isNetworkError = error instanceof RetryLater && error.code.startsWith('http.') && !earlyErrors.has(error);
  if (!isNetworkError || isUnsent(error.cause)) return { state: 'stopped', outcome: { state: 'not_sent' }, error };
  return { state: 'stopped', outcome: { state: 'unknown', code: error.code, message: error.message }, error };
}

/** fetch wraps the error of the socket. */
function isUnsent(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if ('code' in error && typeof error.code === 'string') return UNSENT_CODES.has(error.code);
  return 'cause' in error && isUnsent(error.cause);
}
