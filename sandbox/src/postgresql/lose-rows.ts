import pg from 'pg';
import { InvalidFault } from '../faults.ts';

/** Rows of each account and table that are deleted. */
const DEFAULT_ROWS = 12;
/** Every platform reads these days again in each run: the shortest lookback window has 7 days. */
const DAYS = { from: 6, to: 2 };

/** Deletes rows of the last days from the tables, the same number of each account. */
export async function deleteRecentRows(client: pg.Client, parameters: Record<string, unknown>): Promise<void> {
  const { schema = 'public', tables, rows = DEFAULT_ROWS } = parameters;
  if (!Array.isArray(tables) || !tables.every((table) => typeof table === 'string'))
    throw new InvalidFault('The fault lose_rows needs tables (a list of names)');
  if (!Number.isInteger(rows) || Number(rows) < 1) throw new InvalidFault('rows must be a whole number of at least 1');
  for (const table of tables) {
    const name = `${pg.escapeIdentifier(String(schema))}.${pg.escapeIdentifier(table)}`;
    await client.query(
      `DELETE FROM ${name} WHERE ctid IN (
         SELECT ctid FROM (
           SELECT ctid, row_number() OVER (PARTITION BY account_id ORDER BY date DESC) AS place FROM ${name}
            WHERE date BETWEEN current_date - ${DAYS.from} AND current_date - ${DAYS.to}) recent
          WHERE place <= $1)`,
      [rows],
    );
  }
}
