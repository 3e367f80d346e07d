import { ConnectorError, CorruptAnswer, FixSettings, LeaseLost, ReconnectNeeded, RetryLater } from '../kit/errors.js';
import { isProgrammingError } from '../kit/programming-error.js';
import { isOfFunction, refusalOf } from './refusals.js';
import type { PostgresqlSettings } from './settings.js';

type Where = Pick<PostgresqlSettings, 'host' | 'port' | 'database' | 'schema' | 'user'> & {
  /** The table that was loaded. */
  table?: string | undefined;
};

const UNDEFINED_COLUMN = '42703';
/** They have a meaning of their own, unless the owner of the table has caused them. */
const ambiguousCodes = new Set(['0A000', '23505', '42501']);

interface ErrorMeaning {
  kind: 'retry' | 'credentials' | 'settings' | 'permission' | 'schema' | 'destination' | 'data';
  message(where: Where): string;
  action: string;
}

const itself = 'Nothing to do: it is tried again by itself';
const passing = (message: string): ErrorMeaning => ({ kind: 'retry', message: () => message, action: itself });
const meaning = (kind: ErrorMeaning['kind'], message: ErrorMeaning['message'], action: string): ErrorMeaning => ({
  kind,
  message,
  action,
});

const wrongPassword = meaning(
  'credentials',
  ({ user }) => `PostgreSQL does not accept the password of "${user}".`,
  'Update the credentials',
);
const serverAway = passing('The PostgreSQL server is stopping or starting.');
const noAnswer = meaning(
  'retry',
  ({ host, port }) => `${host} does not answer on port ${port}.`,
  'Check host and port, and that a firewall lets this server in',
);
const notPostgresql = meaning(
  'retry',
  ({ host, port }) => `What answers at ${host} on port ${port} does not speak as PostgreSQL does.`,
  'Check host and port',
);
const untrusted = meaning(
  'settings',
  ({ host }) => `The certificate of ${host} comes from an authority that is not trusted here.`,
  'Ask the operator to trust the authority (NODE_EXTRA_CA_CERTS), or choose the encryption "require"',
);

/** SQLSTATE, system or TLS code → what happens next. https://www.postgresql.org/docs/current/errcodes-appendix.html */
export const errorMeanings: Record<string, ErrorMeaning> = {
  '28P01': wrongPassword,
  '28000': meaning(
    'settings',
    ({ user, database }) =>
      `PostgreSQL does not let "${user}" into "${database}" from here: the user, the address or the encryption is not allowed.`,
    'Check the user name, or allow this server in pg_hba.conf',
  ),
  '3D000': meaning(
    'settings',
    ({ database }) => `There is no database "${database}" on this server.`,
    'Correct the database name, or create it',
  ),
  '3F000': meaning('settings', ({ schema }) => `There is no schema "${schema}".`, 'Correct the schema name, or create it'),
  '42501': meaning(
    'permission',
    ({ user, schema }) => `The user "${user}" lacks a right in the schema "${schema}".`,
    'Grant the user CREATE and USAGE on the schema',
  ),
  '42P01': meaning(
    'schema',
    () => 'A table of this connection has been dropped.',
    'Run the connection again: the table is made anew',
  ),
  '53100': meaning('destination', () => 'The disk of the PostgreSQL server is full.', 'Make room on the server'),
  '53200': passing('The PostgreSQL server is out of memory.'),
  '53300': passing('The PostgreSQL server has no connection to spare.'),
  '53400': meaning(
    'destination',
    () => 'A limit that is configured on the PostgreSQL server was reached.',
    'Raise the limit on the server',
  ),
  '55P03': passing('Another load or query holds a lock on the table.'),
  '40001': passing('Another load wrote the same rows at the same moment.'),
  '40P01': passing('Another load wrote the same rows at the same moment.'),
  '57014': passing('The PostgreSQL server cancelled the statement.'),
  '57P01': serverAway,
  '57P02': serverAway,
  '57P03': serverAway,
  '57P05': serverAway,
  // The error is the same in both cases.
  '25006': meaning(
    'destination',
    ({ host }) => `${host} accepts no changes: it is a replica, or the database or its user is set to read-only.`,
    'Enter the host of the primary server, or turn default_transaction_read_only off',
  ),
  '25P03': passing('The PostgreSQL server ended a transaction that stood still.'),
  '22P05': meaning(
    'destination',
    ({ database }) => `The encoding of "${database}" cannot hold a character of the data.`,
    'Use a database with the encoding UTF8',
  ),
  '22021': meaning('data', () => 'The data holds bytes that are not text.', itself),
  // Of the key that each table is made with; other constraints are their owner's.
  '23505': meaning('data', () => 'A row came twice within one slice. Nothing of the slice was loaded.', itself),
  '22003': meaning('data', () => 'A number is too large for its column. Nothing of the slice was loaded.', itself),
  '0A000': meaning(
    'destination',
    () => 'This PostgreSQL server lacks something that loading needs.',
    'Use PostgreSQL 15 or newer',
  ),
  ECONNREFUSED: noAnswer,
  ETIMEDOUT: noAnswer,
  EHOSTUNREACH: noAnswer,
  ENETUNREACH: noAnswer,
  ENOTFOUND: meaning('settings', ({ host }) => `The host name "${host}" is not known.`, 'Correct the host name'),
  EAI_AGAIN: passing('The host name could not be looked up just now.'),
  ECONNRESET: passing('The PostgreSQL server broke off the connection.'),
  EPIPE: passing('The PostgreSQL server broke off the connection.'),
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: meaning(
    'settings',
    ({ host }) => `The certificate of the server is not one of ${host}.`,
    'Enter the host name that the certificate has, or choose the encryption "require"',
  ),
  CERT_HAS_EXPIRED: meaning(
    'settings',
    ({ host }) => `The certificate of ${host} has expired.`,
    'Renew the certificate of the server',
  ),
  NO_TLS: meaning(
    'settings',
    () => 'The server does not offer encryption.',
    'Turn on TLS at the server, or choose another encryption',
  ),
  UNREACHABLE: meaning(
    'retry',
    ({ host, port }) => `No PostgreSQL server could be reached at ${host} on port ${port}.`,
    'Check host, port and firewall; a host that is not public must be allowed by the operator (EGRESS_ALLOWED_NETWORKS)',
  ),
  NOT_POSTGRESQL: notPostgresql,
  MALFORMED_ANSWER: notPostgresql,
  ANSWER_TOO_LARGE: meaning(
    'retry',
    ({ host }) => `${host} sent far more than an answer of PostgreSQL holds. The connection was closed.`,
    'Check that host and port are those of your PostgreSQL server',
  ),
  CLEAR_TEXT_PASSWORD: meaning(
    'settings',
    ({ host }) =>
      `The connection is not encrypted, and ${host} asks for the password in a form that others could read or reuse. It was not sent.`,
    'Turn on TLS at the server, or store the password there as scram-sha-256',
  ),
};

/** An error of the pages is the source's and keeps its name; everything else on the way is the destination's. */
export class PagesFailed extends Error {
  override name = 'PagesFailed';
}

/** The user's words for an error of pg or of the network. Our own errors pass through as they are. */
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

/** Errors that the table's owner has caused come first: a trigger may use any code. */
function meaningOf(code: string, error: unknown, where: Where): ErrorMeaning {
  const isOurs = code in errorMeanings && !ambiguousCodes.has(code) && !isOfFunction(error);
  const refusal = isOurs ? null : refusalOf(code, error, where);
  if (!refusal) return errorMeanings[code] ?? classMeaning(code);
  const action = code === UNDEFINED_COLUMN ? 'Run the connection again: the column is added and filled again' : refusal.action;
  return meaning('schema', () => refusal.message, action);
}

export function codeOf(error: unknown): string {
  const { code, message = '' } = (typeof error === 'object' && error !== null ? error : {}) as {
    code?: unknown;
    message?: string;
  };
  // The server chooses this text: values of an unknown format are neither shown nor stored.
  if (typeof code === 'string') return /^[0-9A-Z_]{1,60}$/.test(code) ? code : 'UNKNOWN';
  // pg reports its own time limit, and a connection that ends, in words only.
  if (/timeout/i.test(message)) return 'ETIMEDOUT';
  return /terminated|ended|closed/i.test(message) ? 'ECONNRESET' : 'UNKNOWN';
}

/** Class 08 is the connection, 53 a lack of resources, 58 the server's own input and output: all pass, as the unknown may. */
function classMeaning(code: string): ErrorMeaning {
  if (code.startsWith('08')) return passing('The connection to the PostgreSQL server was lost.');
  return passing(`The PostgreSQL server reported an error that is not known here (${code}).`);
}
