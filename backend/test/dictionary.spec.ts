import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from './app.js';

const DICTIONARY = path.join(import.meta.dirname, '..', '..', 'docs', 'data-dictionary.md');

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.stop());

/** `table.column: meaning` of each row, whose last cell is the meaning. */
function listedColumns(): string[] {
  return readFileSync(DICTIONARY, 'utf8')
    .split('\n### ')
    .slice(1)
    .flatMap((section) => {
      const [, table = ''] = /^`(\w+)`/.exec(section) ?? [];
      const rows = section.matchAll(/^\| `(\w+)` .*?(?<!\\)\| ([^\n]+?) +\|$/gm);
      return [...rows].map(([, column, rest = '']) => `${table}.${column}: ${lastCell(rest)}`);
    });
}

const lastCell = (cells: string): string => (cells.split(/(?<!\\)\|/).at(-1) ?? '').trim().replaceAll('\\|', '|');

it('the data dictionary has the columns of the database, with the same comments', async () => {
  const columns = await app.database.query<{ text: string }>(
    `select c.relname || '.' || a.attname || ': ' || coalesce(replace(col_description(c.oid, a.attnum), E'\\n', ' '), '') as text
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace in ('reporting'::regnamespace, 'public'::regnamespace) and c.relkind in ('r', 'p', 'v')
        and c.relname <> '_prisma_migrations'`,
  );
  expect(columns.map(({ text }) => text).toSorted()).toEqual(listedColumns().toSorted());
});
