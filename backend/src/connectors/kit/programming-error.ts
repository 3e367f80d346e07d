const NAMES = new Set(['TypeError', 'RangeError', 'ReferenceError', 'SyntaxError']);
/** Node's codes for invalid calls, independent of the network. */
const WRONG_CALL = /^ERR_(INVALID_(ARG|URL|THIS|STATE)|MISSING_ARGS|ASSERTION)/;

/**
 * Whether an error is a bug in this program. fetch also reports network failures as TypeError, but with a cause. Errors of
 * servers, sockets and TLS have a code.
 */
export function isProgrammingError(error: unknown): error is Error {
  const { name, code, cause } = asRecord(error);
  const known = code ?? asRecord(cause)['code'];
  if (typeof known === 'string') return WRONG_CALL.test(known);
  return typeof name === 'string' && NAMES.has(name) && cause === undefined;
}

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
