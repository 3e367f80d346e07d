import { quoteText } from '../kit/quote-text.js';

/** Parts of an error message that pg provides. https://www.postgresql.org/docs/current/protocol-error-fields.html */
interface ServerError {
  message?: string;
  /** The object of the error; only for some classes. */
  table?: string;
  column?: string;
  constraint?: string;
  /** The call stack of an error in a function. */
  where?: string;
  /** The server's function that reported the error. It is the same in all languages. */
  routine?: string;
}

export interface Rejection {
  message: string;
  action: string;
}

interface Place {
  schema: string;
  user: string;
  /** The table that was loaded; missing outside of a load. */
  table?: string | undefined;
}

/**
 * SQLSTATE classes of changes that only the table's owner can correct: data exceptions, constraints, triggers, functions,
 * row-level security, program limits. https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const rejectingClasses = new Set(['09', '0P', '21', '22', '23', '27', '2F', '38', '39', '42', '44', '54', 'P0']);
/** `OBJECT_NOT_IN_PREREQUISITE_STATE`: for example a publication of deletes on a table without replica identity. */
const rejectingCodes = new Set(['55000']);
/** Classes for connections, transactions, resources, locks and the server itself. They are transient, even from a trigger. */
const transientClasses = new Set(['08', '25', '40', '53', '55', '57', '58', 'XX']);
/** COPY FROM does not support row-level security. */
const rowSecurityCodes = new Set(['0A000', '42501']);
/** Suffix of the primary key that Tributary creates. */
const OWN_KEY = /_pkey$/;
/** Tables in which the connector registers runs and tables. */
const OWN_TABLE = /\b_tributary_(?:runs|tables)\b/;

/** Why the table's owner must act; null if the error has another reason. Server texts are quoted with limited length. */
export function rejectionOf(code: string, error: unknown, place: Place): Rejection | null {
  const fact = (typeof error === 'object' && error !== null ? error : {}) as ServerError;
  const table = place.table ? `"${place.schema}.${place.table}"` : `a table of the schema "${place.schema}"`;
  const [sqlClass, text] = [code.slice(0, 2), quoteText(fact.message ?? '')];
  if (!/^[0-9A-Z]{5}$/.test(code) || (transientClasses.has(sqlClass) && !rejectingCodes.has(code))) return null;
  if (isOfFunction(error))
    return { message: `A trigger or function of ${table} rejects the rows: ${text}.`, action: 'Correct or drop the trigger' };
  if (rowSecurityCodes.has(code)) return rowSecurity(fact, table, place.user) ?? noPrivilege(fact, place);
  if (code === '23502' && fact.column) return notNull(quoteText(fact.column), table);
  if (sqlClass === '23' && fact.constraint) return constraint(code, fact, place, table);
  return rejectingClasses.has(sqlClass) || rejectingCodes.has(code)
    ? {
        message: `PostgreSQL rejects the load of ${table}: ${text}.`,
        action: 'Undo the change to the table, or choose another table prefix',
      }
    : null;
}

/** A session on a database with ALLOW_CONNECTIONS false. Changes to tables have the same code. */
export const isClosedDatabase = (code: string, error: unknown): boolean =>
  code === '55000' && (error as ServerError).routine === 'CheckMyDatabase';

/** Tributary creates no functions, so it is from a trigger, a default or a generated column. */
export function isOfFunction(error: unknown): boolean {
  return typeof error === 'object' && error !== null && /\bfunction\b/.test(String((error as ServerError).where ?? ''));
}

const notNull = (column: string, table: string): Rejection => ({
  message: `The column ${column} of ${table} does not allow NULL and has no default, so no row can be written.`,
  action: 'Allow NULL in the column, or give it a default',
});

/** The error may be in another table, with a foreign key that references ours. */
function constraint(code: string, { constraint: name = '', table }: ServerError, place: Place, loaded: string): Rejection | null {
  if (code === '23505' && OWN_KEY.test(name)) return null;
  const owner = table && table !== place.table ? quoteText(table) : loaded;
  return { message: `The constraint ${quoteText(name)} of ${owner} rejects the rows.`, action: 'Drop the constraint' };
}

function rowSecurity({ message = '' }: ServerError, table: string, user: string): Rejection | null {
  if (!message.includes('row-level security')) return null;
  return {
    message: `Row-level security of ${table} rejects the rows.`,
    action: `Turn row-level security off, or grant "${user}" the attribute BYPASSRLS`,
  };
}

/** The destination had another user before, who created the tables in which the connector registers runs and tables. */
export function foreignTables(table: string, { schema, user }: Pick<Place, 'schema' | 'user'>): Rejection {
  return {
    message: `The user "${user}" lacks a permission on "${schema}.${table}", which belongs to another user.`,
    action: `Make "${user}" the owner of the tables that Tributary created in the schema`,
  };
}

/** The table of the connector itself that the user may not use; null if the error has another reason. */
export function deniedOwnTable(code: string, error: unknown): string | null {
  const { message = '', routine } = error as ServerError;
  return code === '42501' && routine === 'aclcheck_error' ? (OWN_TABLE.exec(message)?.[0] ?? null) : null;
}

/** Without a privilege on the schema, the message names no table. The message may be in any language. */
function noPrivilege({ message = '', routine }: ServerError, { schema, table, user }: Place): Rejection | null {
  if (routine !== 'aclcheck_error' || !table || !message.includes(table)) return null;
  return {
    message: `The user "${user}" lacks a permission on "${schema}.${table}".`,
    action: `Make "${user}" the owner of the table`,
  };
}
