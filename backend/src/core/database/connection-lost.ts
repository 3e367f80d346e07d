/** Error codes of the network, of PostgreSQL (class 08, closed connections, too many connections) and of Prisma. */
const CODES =
  /^(08\w{3}|57P0[1235]|53300|25P03|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|P1001|P1002|P1008|P1017|P2024|P2028|P2037)$/;
/** Error kinds of Prisma's driver adapter. */
const KINDS = new Set(['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout', 'TooManyConnections']);
/** pg has no codes for these errors. */
const MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|^timeout expired$|^Query read timeout$|(connection error|was closed) and is not queryable/i;
const DEEPEST_CAUSE = 5;

/**
 * Whether the product's own database could not be reached, so that a retry may succeed. Not for errors of connectors, which are
 * about another server. `fetch` reports network errors of other servers as a TypeError, which is never about the database.
 */
export function isConnectionLost(error: unknown, depth = 0): boolean {
  if (error instanceof TypeError || (!(error instanceof Error) && !hasKind(error))) return false;
  const { code, kind, message, cause } = error as { code?: unknown; kind?: unknown; message?: unknown; cause?: unknown };
  if (typeof code === 'string' && CODES.test(code)) return true;
  if (typeof kind === 'string' && KINDS.has(kind)) return true;
  if (typeof message === 'string' && MESSAGES.test(message)) return true;
  return depth < DEEPEST_CAUSE && isConnectionLost(cause, depth + 1);
}

const hasKind = (value: unknown): boolean => typeof value === 'object' && value !== null && 'kind' in value;
