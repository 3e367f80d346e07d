import type pg from 'pg';
import type { Fence, Replacement, Stream, TableReplacement, Target } from '../../kit/contract.js';
import { quoteText } from '../../kit/quote-text.js';
import type { Database } from '../connection/connection.js';
import { inTransaction, statementLimit } from '../connection/transaction.js';
import { codeOf } from '../errors.js';
import { claimRun, holdRun } from '../load/fence.js';
import { execute } from '../statement.js';
import { locateTables } from '../tables/locate.js';
import { qualifiedTable, quote, tableNameOf } from '../tables/names.js';
import { tableLockStatement, turnStatement } from '../tables/table-statements.js';
import { findSchema, turnOf } from '../tables/tables.js';
import { assertReplaceable, keptColumns, type OldTable, readOldTable, refused } from './old-table.js';
import {
  completionStatements,
  grantStatements,
  registrationStatements,
  swapStatements,
  type SwapStatement,
} from './statements.js';

/** Errors that a repetition may not meet: locks, connections, resources, the server itself. */
const TRANSIENT_CLASSES = new Set(['08', '25', '40', '53', '55', '57', '58', 'XX']);
/** SQLSTATE of a statement that exceeded its limit or was canceled. */
const CANCELED = '57014';

export function tableReplacement(database: Database): TableReplacement {
  const { settings } = database;
  return {
    inspect: ({ signal }, stream) => database.use(signal, (client) => inspect(client, database, stream)),
    isSwapped: ({ signal }, { stream }, loaded) =>
      database.use(signal, async (client) => {
        const found = (await locateTables(client, settings, [stream])).get(stream.name);
        return found !== undefined && identityOf(found) === identityOf(loaded);
      }),
    swap: ({ signal }, replacement, fence) =>
      database.use(signal, (client) => swap(client, database, replacement, fence), tableNameOf(settings, replacement.stream)),
    drop: ({ signal }, beside) => database.use(signal, (client) => drop(client, database, beside)),
  };
}

/** The time of the registration, which a rename keeps. */
const identityOf = ({ place }: Target): string => place.slice(place.lastIndexOf('@'));

async function inspect(client: pg.PoolClient, { settings }: Database, stream: Stream): Promise<Target | null> {
  if (!(await findSchema(client, settings.schema)).hasOwnTables) return null;
  const old = await readOldTable(client, settings, stream);
  if (!old) return null;
  assertReplaceable(settings, stream, old);
  const found = (await locateTables(client, settings, [stream])).get(stream.name);
  return found ? { ...found, columns: keptColumns(stream, old) } : null;
}

/**
 * Other loads of the table wait from the first lock on. Readers continue until the renames, which take a moment: views, rights and
 * rows are ready by then.
 */
async function swap(client: pg.PoolClient, database: Database, replacement: Replacement, fence: Fence): Promise<Target> {
  const { settings, limits } = database;
  const { stream, beside } = replacement;
  // A worker that took over the run may have had no slice to write.
  await claimRun(client, database, fence);
  await inTransaction(client, limits, async () => {
    await execute(client, turnStatement(turnOf(settings, stream)));
    await holdRun(client, settings.schema, fence);
    const isThere = (await readOldTable(client, settings, stream)) !== null;
    if (isThere) await client.query(`LOCK TABLE ${qualifiedTable(settings, stream)} IN SHARE ROW EXCLUSIVE MODE`);
    const old = isThere ? await readOldTable(client, settings, stream) : null;
    if (old) await complete(client, database, replacement, old);
    // Readers queue behind the renames.
    await execute(client, tableLockStatement(limits.tableLockMs));
    for (const statement of swapStatements(settings, replacement, old)) await executeOr(client, statement);
    for (const statement of registrationStatements(settings, replacement, old?.id ?? null)) await execute(client, statement);
    if (old) await keepOwner(client, qualifiedTable(settings, stream), old);
  });
  const target = (await locateTables(client, settings, [stream])).get(stream.name);
  if (!target) throw new Error(`the table ${beside.table} was not found after the swap`);
  return target;
}

async function complete(
  client: pg.PoolClient,
  { settings, limits }: Database,
  replacement: Replacement,
  old: OldTable,
): Promise<void> {
  assertReplaceable(settings, replacement.stream, old);
  await execute(client, statementLimit(limits.completionMs));
  // The server is the first to end a statement.
  const answerMs = limits.completionMs + limits.answerMs - limits.statementMs;
  for (const statement of completionStatements(settings, replacement, old)) await executeLong(client, statement, answerMs);
  await execute(client, statementLimit(limits.statementMs));
  const next = await readOldTable(client, settings, replacement.beside);
  const held = [...new Set(next?.grants.map(({ grantee }) => grantee) ?? [])];
  for (const statement of grantStatements(qualifiedTable(settings, replacement.beside), held, old))
    await executeOr(client, statement);
}

async function keepOwner(client: pg.PoolClient, table: string, { owner }: OldTable): Promise<void> {
  const { rows } = await client.query<{ name: string }>('SELECT current_user AS name');
  if (rows[0]?.name === owner) return;
  await executeOr(client, { title: 'Keep the owner', sql: `ALTER TABLE ${table} OWNER TO ${quote(owner)}`, cause: 'its owner' });
}

/** A statement that exceeds its limit would exceed it in the next attempt too, and block the loads of the table until then. */
async function executeLong(client: pg.PoolClient, statement: SwapStatement, answerMs: number): Promise<void> {
  try {
    await executeOr(client, statement, answerMs);
  } catch (error) {
    if (codeOf(error) !== CANCELED || !statement.cause) throw error;
    throw refused(
      `PostgreSQL canceled the preparation of the new table because of ${statement.cause}: ${quoteText((error as Error).message)}`,
      'Re-sync again when the server has less load, or delete rows and indexes of the table that are not needed',
      { cause: error },
    );
  }
}

/** An error of what users created around the table prevents the swap. It is not an error of the destination. */
async function executeOr(client: pg.PoolClient, statement: SwapStatement, answerMs?: number): Promise<void> {
  try {
    await execute(client, statement, answerMs === undefined ? {} : { answerMs });
  } catch (error) {
    const code = codeOf(error);
    const isPassing = !/^[0-9A-Z]{5}$/.test(code) || TRANSIENT_CLASSES.has(code.slice(0, 2));
    if (!statement.cause || isPassing) throw error;
    const text = quoteText((error as Error).message);
    throw refused(
      `PostgreSQL cannot replace the table because of ${statement.cause}: ${text}`,
      'Correct or drop it, then re-sync again',
      {
        cause: error,
      },
    );
  }
}

async function drop(client: pg.PoolClient, { settings, limits }: Database, beside: Stream): Promise<void> {
  if (!(await findSchema(client, settings.schema)).hasOwnTables) return;
  await inTransaction(client, limits, async () => {
    await execute(client, turnStatement(turnOf(settings, beside)));
    const found = await readOldTable(client, settings, beside);
    if (!found?.isOwn) return;
    await client.query(`DROP TABLE ${qualifiedTable(settings, beside)}`);
    await client.query(`DELETE FROM ${quote(settings.schema)}._tributary_tables WHERE table_id = $1::oid`, [found.id]);
  });
}
