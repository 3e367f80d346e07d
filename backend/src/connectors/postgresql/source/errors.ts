import { ConnectorError, FixSettings } from '../../kit/errors.js';
import { quoteText } from '../../kit/quote-text.js';
import { missingTimeField, tooManyBytes, tooSlow } from '../../kit/records/read-meter.js';
import { codeOf, toDestinationError } from '../errors.js';
import type { PostgresqlSettings } from '../settings.js';

/** What an error of a query refers to. */
export interface QueryPlace {
  settings: PostgresqlSettings;
  query: string;
  /** Number of characters of the statement before the query of the user. */
  queryStart: number;
  timeField: string | null;
  statementMs: number;
  answerBytes: number;
  startedAt: number;
}

interface ServerError {
  message?: string;
  /** The character of the statement, from 1. */
  position?: string;
}

/** `READ_ONLY_SQL_TRANSACTION`; `ACTIVE_SQL_TRANSACTION`, for an attempt to make the transaction writable. */
const writeCodes = ['25006', '25001'];
const CANCELED = '57014';
/** The message of `FEATURE_NOT_SUPPORTED` here is about WITH with INSERT, UPDATE or DELETE, or about the cursor. */
const NOT_SUPPORTED = '0A000';
/** `UNDEFINED_COLUMN`, `UNDEFINED_FUNCTION` (a comparison of this type with a time) */
const timeFieldCodes = ['42703', '42883'];
const ANSWER_TOO_LARGE = 'ANSWER_TOO_LARGE';

/** Translates an error of the user's query. Errors of the connection have the same meaning as in a load. */
export function toSourceError(error: unknown, place: QueryPlace): unknown {
  if (error instanceof ConnectorError) return error;
  const code = codeOf(error);
  const fact = (typeof error === 'object' && error !== null ? error : {}) as ServerError;
  if (writeCodes.includes(code)) return writes(error);
  if (code === CANCELED && performance.now() - place.startedAt >= place.statementMs)
    return tooSlow('postgresql', place.statementMs);
  if (code === ANSWER_TOO_LARGE) return tooManyBytes('postgresql', place.answerBytes);
  const isInQuery = lineOf(Number(fact.position), place) !== null;
  if (timeFieldCodes.includes(code) && !isInQuery && place.timeField !== null)
    return missingTimeField('postgresql', place.timeField);
  // Class 42 names objects and words of the query. Messages of other classes can contain values of rows.
  if (code.startsWith('42') || code === NOT_SUPPORTED) return rejected(code, fact, place, error);
  if (/^(09|0[A-Z]|2[0-467]|3[89F]|44|54|P0)/.test(code)) return failed(code, error);
  return toDestinationError(error, place.settings);
}

const writes = (cause: unknown): FixSettings =>
  new FixSettings(
    {
      code: 'postgresql.query_writes',
      message: 'The query tries to change data. It was stopped, and nothing was changed.',
      action: 'Use a SELECT statement that only reads',
    },
    { cause },
  );

function rejected(code: string, { message = '', position }: ServerError, place: QueryPlace, cause: unknown): FixSettings {
  const isPermission = code === '42501';
  const line = lineOf(Number(position), place);
  return new FixSettings(
    {
      code: `postgresql.query_${code.toLowerCase()}`,
      message: `PostgreSQL rejects the query${line === null ? '' : ` at line ${line}`}: ${quoteText(message)}.`,
      action: isPermission ? `Grant "${place.settings.user}" SELECT on the tables of the query` : 'Correct the query',
      failureClass: isPermission ? 'permission' : 'config',
    },
    { cause },
  );
}

const failed = (code: string, cause: unknown): FixSettings =>
  new FixSettings(
    {
      code: `postgresql.query_${code.toLowerCase()}`,
      message: `The query fails on one of its rows (SQLSTATE ${code}). The text of the error is not shown, because it can contain data.`,
      action: 'Run the query in your database, and correct the expression that fails',
    },
    { cause },
  );

/** The line in the user's query; null if the error is not at a place in it. */
function lineOf(position: number, { query, queryStart }: QueryPlace): number | null {
  // PostgreSQL counts characters, not UTF-16 units.
  const offset = position - 1 - queryStart;
  const characters = [...query];
  return offset >= 0 && offset < characters.length
    ? characters.slice(0, offset).filter((character) => character === '\n').length + 1
    : null;
}
