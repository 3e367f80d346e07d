import { ConnectorError, CorruptAnswer, FixSettings, LeaseLost, ReconnectNeeded, RetryLater } from '../kit/errors.js';
import { isProgrammingError } from '../kit/programming-error.js';
import { quoteText } from '../kit/quote-text.js';
import { deniedOwnTable, foreignTables, isClosedDatabase, isOfFunction, rejectionOf } from './rejections.js';
import type { PostgresqlSettings } from './settings.js';

type Where = Pick<PostgresqlSettings, 'host' | 'port' | 'database' | 'schema' | 'user'> & {
  /** The table that was loaded. */
  table?: string | undefined;
};

const UNDEFINED_COLUMN = '42703';
export const READ_ONLY = '25006';
/** Codes with their own meaning, unless a change by the table's owner caused them. */
const ambiguousCodes = new Set(['0A000', '23505', '42501']);

interface ErrorMeaning {
  kind: 'retry' | 'credentials' | 'settings' | 'permission' | 'schema' | 'destination' | 'data';
  message(where: Where): string;
  action: string;
}

const itself = 'No action needed: Tributary retries automatically';
const passing = (message: string): ErrorMeaning => ({ kind: 'retry', message: () => message, action: itself });
const meaning = (kind: ErrorMeaning['kind'], message: ErrorMeaning['message'], action: string): ErrorMeaning => ({
  kind,
  message,
  action,
});

const wrongPassword = meaning(
  'credentials',
  ({ user }) => `PostgreSQL rejected the password of "${user}".`,
  'Update the credentials',
);
const serverAway = passing('The PostgreSQL server is stopping or starting.');
const noAnswer = meaning(
  'retry',
  ({ host, port }) => `${host} does not answer on port ${port}.`,
  'Check the host and port, and that the firewall allows this server',
);
const notPostgresql = meaning(
  'retry',
  ({ host, port }) => `The service at ${host} on port ${port} is not a PostgreSQL server.`,
  'Check the host and port',
);
const untrusted = meaning(
  'settings',
  ({ host }) => `The certificate of ${host} is from an untrusted authority.`,
  'Ask the operator to trust the authority (NODE_EXTRA_CA_CERTS), or select the encryption "require"',
);

/** Consequence of each SQLSTATE, system or TLS code. https://www.postgresql.org/docs/current/errcodes-appendix.html */
export const errorMeanings: Record<string, ErrorMeaning> = {
  '28P01': wrongPassword,
  '28000': meaning(
    'settings',
    ({ user, database }) =>
      `PostgreSQL rejected "${user}" for "${database}". The user, this address or the encryption is not allowed.`,
    'Check the user name, or allow this server in pg_hba.conf',
  ),
  '3D000': meaning(
    'settings',
    ({ database }) => `The database "${database}" does not exist on this server.`,
    'Correct the database name, or create it',
  ),
  '3F000': meaning('settings', ({ schema }) => `The schema "${schema}" does not exist.`, 'Correct the schema name, or create it'),
  '42501': meaning(
    'permission',
    ({ user, schema }) => `The user "${user}" lacks a permission in the schema "${schema}".`,
    'Grant the user CREATE and USAGE on the schema',
  ),
  '42P01': meaning('schema', () => 'A table of this connection was dropped.', 'Run the connection again to recreate the table'),
  '53100': meaning('destination', () => 'The disk of the PostgreSQL server is full.', 'Free disk space on the server'),
  '53200': passing('The PostgreSQL server is out of memory.'),
  '53300': passing('The PostgreSQL server has no free connections.'),
  '53400': meaning(
    'destination',
    () => 'A configured limit of the PostgreSQL server was reached.',
    'Increase the limit on the server',
  ),
  '55P03': passing('Another load or query holds a lock on the table.'),
  '40001': passing('Another load wrote the same rows at the same time.'),
  '40P01': passing('Another load wrote the same rows at the same time.'),
  '57014': meaning(
    'retry',
    () => 'The PostgreSQL server canceled a statement: it took too long, or a user canceled it.',
    'Tributary retries automatically. If it repeats, increase statement_timeout of the user, and check the load of the server',
  ),
  '57P01': serverAway,
  '57P02': serverAway,
  '57P03': serverAway,
  '57P05': meaning(
    'retry',
    () => 'The PostgreSQL server closed a session that was idle for too long.',
    'Tributary retries automatically. If it repeats, increase idle_session_timeout of the user or the server',
  ),
  // The error is the same in all cases. After a failover the host is the primary again within seconds or minutes.
  [READ_ONLY]: meaning(
    'retry',
    ({ host }) => `${host} is read-only: it is a replica, or the database or user is read-only.`,
    'Enter the host of the primary server, or turn off default_transaction_read_only',
  ),
  '25P03': passing('The PostgreSQL server ended an idle transaction.'),
  '22P05': meaning(
    'destination',
    ({ database }) => `The encoding of "${database}" does not support a character in the data.`,
    'Use a database with the encoding UTF8',
  ),
  '22021': meaning('data', () => 'The data contains invalid text.', itself),
  // Only for the primary key that Tributary creates. Other constraints belong to the table's owner.
  '23505': meaning('data', () => 'A row is duplicated within one chunk. Nothing of the chunk was loaded.', itself),
  '22003': meaning('data', () => 'A number is too large for its column. Nothing of the chunk was loaded.', itself),
  '0A000': meaning(
    'destination',
    () => 'This PostgreSQL server lacks a feature that loading requires.',
    'Use PostgreSQL 15 or newer',
  ),
  ECONNREFUSED: noAnswer,
  ETIMEDOUT: noAnswer,
  EHOSTUNREACH: noAnswer,
  ENETUNREACH: noAnswer,
  ENOTFOUND: meaning('settings', ({ host }) => `The host name "${host}" does not resolve.`, 'Correct the host name'),
  EAI_AGAIN: passing('The host name could not be resolved.'),
  ECONNRESET: passing('The PostgreSQL server closed the connection.'),
  EPIPE: passing('The PostgreSQL server closed the connection.'),
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: meaning(
    'settings',
    ({ host }) => `The server's certificate is not valid for ${host}.`,
    'Enter the host name of the certificate, or select the encryption "require"',
  ),
  CERT_HAS_EXPIRED: meaning(
    'settings',
    ({ host }) => `The certificate of ${host} has expired.`,
    "Renew the server's certificate",
  ),
  NO_TLS: meaning(
    'settings',
    () => 'The server does not support encryption.',
    'Enable TLS on the server, or select another encryption',
  ),
  UNREACHABLE: meaning(
    'retry',
    ({ host, port }) => `No PostgreSQL server could be reached at ${host} on port ${port}.`,
    'Check the host, port and firewall. The operator must allow hosts that are not public (EGRESS_ALLOWED_NETWORKS)',
  ),
  NOT_POSTGRESQL: notPostgresql,
  MALFORMED_ANSWER: notPostgresql,
  ANSWER_TOO_LARGE: meaning(
    'retry',
    ({ host }) => `The answer of ${host} exceeds the size limit. The connection was closed.`,
    'Check that the host and port belong to your PostgreSQL server',
  ),
  CLEAR_TEXT_PASSWORD: meaning(
    'settings',
    ({ host }) =>
      `The connection is not encrypted, and ${host} requested the password in a form that others could read or reuse. It was not sent.`,
    'Enable TLS on the server, or store the password there as scram-sha-256',
  ),
};

/** Wraps an error of the pages, so that it is attributed to the source. All other errors belong to the destination. */
export class PagesFailed extends Error {
  override name = 'PagesFailed';
}

/** Translates an error of pg or of the network for the user. Our own errors pass unchanged. */
export function toDestinationError(error: unknown, where: Where): Error {
  if (error instanceof ConnectorError || error instanceof LeaseLost || error instanceof PagesFailed) return error;
  if (isProgrammingError(error)) return error;
  const code = codeOf(error);
  const found = meaningOf(code, error, where);
  const detail = { code: `postgresql.${code.toLowerCase()}`, message: found.message(where), action: found.action };
  const options = { cause: error };
  if (found.kind === 'retry') return new RetryLater(detail, options);
  if (found.kind === 'credentials') return new ReconnectNeeded(detail, options);
  if (found.kind === 'data') return new CorruptAnswer(detail, options);
  return new FixSettings({ ...detail, failureClass: found.kind === 'settings' ? 'config' : found.kind }, options);
}

const closedDatabase = meaning(
  'destination',
  ({ database }) => `The database "${database}" does not accept connections.`,
  'Allow connections to the database (ALTER DATABASE … ALLOW_CONNECTIONS true)',
);

/** Poolers have no code of their own for a user, project or database that they do not know: Supavisor, Neon, PgBouncer. */
const poolerCodes = new Set(['XX000', '08P01']);
/** Other sign-ins that they reject, such as those without a free connection, may succeed later. */
const UNKNOWN_AT_POOLER = /not found|not be found|no such (user|database)|not specified|auth\w* failed/i;

function poolerRefusal(code: string, error: unknown): ErrorMeaning | null {
  const { message = '', severity } = error as { message?: string; severity?: string };
  if (severity !== 'FATAL' || !poolerCodes.has(code) || !UNKNOWN_AT_POOLER.test(message)) return null;
  return meaning(
    'settings',
    () => `The server rejected the sign-in: ${quoteText(message)}.`,
    'Check user, database and encryption. At a pooler the user may need the project, such as postgres.abc',
  );
}

/** Checks first for errors that the table's owner caused, because a trigger can use any code. */
function meaningOf(code: string, error: unknown, where: Where): ErrorMeaning {
  if (isClosedDatabase(code, error)) return closedDatabase;
  const unknownAtPooler = poolerRefusal(code, error);
  if (unknownAtPooler) return unknownAtPooler;
  const deniedTable = deniedOwnTable(code, error);
  if (deniedTable) {
    const { message, action } = foreignTables(deniedTable, where);
    return meaning('permission', () => message, action);
  }
  const isOurs = code in errorMeanings && !ambiguousCodes.has(code) && !isOfFunction(error);
  const refusal = isOurs ? null : rejectionOf(code, error, where);
  if (!refusal) return errorMeanings[code] ?? classMeaning(code);
  const action = code === UNDEFINED_COLUMN ? 'Run the connection again to add and fill the column' : refusal.action;
  return meaning('schema', () => refusal.message, action);
}

export function codeOf(error: unknown): string {
  const { code, message = '' } = (typeof error === 'object' && error !== null ? error : {}) as {
    code?: unknown;
    message?: string;
  };
  // The server chooses this text. Values in an unexpected format are neither shown nor stored.
  if (typeof code === 'string') return /^[0-9A-Z_]{1,60}$/.test(code) ? code : 'UNKNOWN';
  // pg reports its own timeout and a closed connection only as text.
  if (/timeout/i.test(message)) return 'ETIMEDOUT';
  return /terminated|ended|closed/i.test(message) ? 'ECONNRESET' : 'UNKNOWN';
}

/** Class 08 is the connection, 53 resources, 58 the server's own I/O. All are transient, and unknown errors are assumed to be. */
function classMeaning(code: string): ErrorMeaning {
  if (code.startsWith('08')) return passing('The connection to the PostgreSQL server was lost.');
  return passing(`The PostgreSQL server returned an unknown error (${code}).`);
}
