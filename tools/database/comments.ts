/**
 * node tools/database/comments.ts: prints COMMENT ON for every table and column of prisma/schema, from its `///` comments.
 * Add the changed ones to a new migration: Prisma itself writes comments only to its client.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { inRepository } from '../repository.ts';

interface Table {
  name: string;
  comment: string;
  columns: { name: string; comment: string }[];
}

const quoted = (name: string) => `"${name}"`;
const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** Reads the schema line by line. A `///` comment belongs to the model or field below it. */
export function readTables(schema: string): Table[] {
  const models = new Set([...schema.matchAll(/^model (\w+)/gm)].map((match) => match[1]));
  const tables: Table[] = [];
  let comment = '';
  let table: Table | undefined;
  for (const line of schema.split('\n').map((text) => text.trim())) {
    const model = /^model (\w+)/.exec(line);
    const field = /^(\w+)\s+(\w+)(\[\])?\??(\s|$)/.exec(line);
    if (line.startsWith('///')) comment = `${comment} ${line.slice(3).trim()}`.trim();
    else if (model?.[1]) tables.push((table = { name: model[1], comment, columns: [] }));
    else if (table && line.startsWith('@@map')) table.name = /"(.+)"/.exec(line)?.[1] ?? table.name;
    else if (line === '}') table = undefined;
    else if (table && field?.[1] && !models.has(field[2])) {
      table.columns.push({ name: /@map\("(.+?)"\)/.exec(line)?.[1] ?? field[1], comment });
    }
    if (!line.startsWith('///')) comment = '';
  }
  return tables;
}

export function commentStatements(tables: Table[]): string[] {
  return tables.flatMap((table) => [
    `COMMENT ON TABLE ${quoted(table.name)} IS ${literal(table.comment)};`,
    ...table.columns.map(
      (column) => `COMMENT ON COLUMN ${quoted(table.name)}.${quoted(column.name)} IS ${literal(column.comment)};`,
    ),
  ]);
}

export function readSchema(): string {
  const folder = inRepository('prisma', 'schema');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.prisma'))
    .map((file) => readFileSync(`${folder}/${file}`, 'utf8'))
    .join('\n');
}

if (import.meta.main) console.log(commentStatements(readTables(readSchema())).join('\n'));
