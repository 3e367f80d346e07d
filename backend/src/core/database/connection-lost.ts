/** Of the network, of PostgreSQL (class 08 and a server that ends a connection or has no room) and of Prisma. */
const CODES =
  /^(08\w{3}|57P0[1235]|53300|25P03|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|P1001|P1002|P1008|P1017|P2024|P2028|P2037)$/;
/** How Prisma's driver adapter names them. */
const KINDS = new Set(['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout', 'TooManyConnections']);
/** pg has no codes for these. */
const MESSAGES = /Connection terminated|timeout exceeded when trying to connect|connection error and is not queryable/i;
const DEEPEST_CAUSE = 5;

/**
 * Whether an error says that the product's own database could not be reached, so that the same work may succeed later. Errors of
 * connectors are not asked: they are about another server.
 */
export function isConnectionLost(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) && !hasKind(error)) return false;
  const { code, kind, message, cause } = error as { code?: unknown; kind?: unknown; message?: unknown; cause?: unknown };
  if (typeof code === 'string' && CODES.test(code)) return true;
  if (typeof kind === 'string' && KINDS.has(kind)) return true;
  if (typeof message === 'string' && MESSAGES.test(message)) return true;
  return depth < DEEPEST_CAUSE && isConnectionLost(cause, depth + 1);
}

const hasKind = (value: unknown): boolean => typeof value === 'object' && value !== null && 'kind' in value;
