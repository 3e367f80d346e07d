const NAMES = new Set(['TypeError', 'RangeError', 'ReferenceError', 'SyntaxError']);
/** Node's codes for invalid calls, independent of the network. */
const WRONG_CALL = /^ERR_(INVALID_(ARG|URL|THIS|STATE)|MISSING_ARGS|ASSERTION)/;

/**
 * Whether an error is a mistake in this program. fetch reports a network that fails as a TypeError too, but with its cause; errors of
 * servers, sockets and TLS carry a code.
 */
export function isProgrammingError(error: unknown): error is Error {
  const { name, code, cause } = asRecord(error);
  const known = code ?? asRecord(cause)['code'];
  if (typeof known === 'string') return WRONG_CALL.test(known);
  return typeof name === 'string' && NAMES.has(name) && cause === undefined;
}

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
