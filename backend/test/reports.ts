import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import type { TestDatabase } from './database.js';

export const REPORTS_PAGE = readFileSync(path.join(import.meta.dirname, '..', '..', 'docs', 'reporting-database.md'), 'utf8');
export const SAMPLE_QUERIES = [...REPORTS_PAGE.matchAll(/```sql\n([^`]+)```/g)].map(([, query = '']) => query);

/** Rows that `report_ro` reads. */
export async function readReports<Row extends pg.QueryResultRow>(
  { ownerUrl }: Pick<TestDatabase, 'ownerUrl'>,
  text: string,
  parameters?: unknown[],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: ownerUrl, options: '-c role=report_ro -c search_path=reporting' });
  await client.connect();
  try {
    return (await client.query<Row>(text, parameters)).rows;
  } finally {
    await client.end();
  }
}
