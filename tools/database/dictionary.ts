/**
 * node tools/database/dictionary.ts: writes docs/data-dictionary.md from prisma/schema and the reporting views. `make check` fails when
 * the file is not current.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { formatText } from '../format.ts';
import { inRepository } from '../repository.ts';

export const DICTIONARY = 'docs/data-dictionary.md';

interface Column {
  name: string;
  type: string;
  isNullable: boolean;
  comment: string;
}

interface Relation {
  from: string;
  to: string;
  isOptional: boolean;
}

interface Model {
  name: string;
  table: string;
  comment: string;
  columns: Column[];
  relations: Relation[];
}

const SQL_TYPES: Record<string, string> = {
  String: 'text',
  Int: 'integer',
  BigInt: 'bigint',
  Float: 'double precision',
  Decimal: 'numeric',
  Boolean: 'boolean',
  DateTime: 'timestamptz',
  Json: 'jsonb',
  Bytes: 'bytea',
};

const block = (kind: string) => new RegExp(`((?:^///.*\\n)*)^${kind} (\\w+) \\{\\n([^]*?)^\\}`, 'gm');
const mapped = (text: string, otherwise: string): string => /@@?map\("(.+?)"\)/.exec(text)?.[1] ?? otherwise;
const commentOf = (lines: string): string =>
  lines
    .replaceAll(/^\s*\/\/\/ ?/gm, '')
    .replaceAll('\n', ' ')
    .trim();

function columnOf(line: string, comment: string, enums: Map<string, string>): Column | null {
  const [, name = '', type = '', list, optional] = /^\s*(\w+)\s+(\w+)(\[\])?(\?)?/.exec(line) ?? [];
  const native = /@db\.(\w+)/.exec(line)?.[1];
  const sql = native ? native.toLowerCase() : (SQL_TYPES[type] ?? enums.get(type));
  if (!sql) return null;
  return { name: mapped(line, name), type: `${sql}${list ?? ''}`, isNullable: optional === '?', comment };
}

function relationOf(line: string): Relation | null {
  const [, to, optional] = /^\s*\w+\s+(\w+)(\?)?\s+@relation\((?:"\w+", )?fields:/.exec(line) ?? [];
  return to ? { from: '', to, isOptional: optional === '?' } : null;
}

function modelOf([, comment = '', name = '', body = '']: string[], enums: Map<string, string>): Model {
  const model: Model = {
    name,
    table: mapped(body.slice(body.indexOf('@@map')), name),
    comment: commentOf(comment),
    columns: [],
    relations: [],
  };
  let above = '';
  for (const line of body.split('\n')) {
    if (line.trim().startsWith('///')) {
      above += `${line}\n`;
      continue;
    }
    const relation = relationOf(line);
    const column = /^\s*\w+\s+\w+/.test(line) && !relation ? columnOf(line, commentOf(above), enums) : null;
    if (relation) model.relations.push({ ...relation, from: name });
    if (column) model.columns.push(column);
    above = '';
  }
  return model;
}

interface View {
  name: string;
  comment: string;
  columns: { name: string; comment: string }[];
}

/** The newest comment of each view and column. */
export function readViews(migrations: string): View[] {
  const views = new Map<string, View>();
  const text = (literal: string) => literal.replaceAll("''", "'");
  for (const [, view = '', comment = ''] of migrations.matchAll(/^COMMENT ON VIEW reporting\.(\w+) IS '((?:[^']|'')*)';/gm))
    views.set(view, { name: view, comment: text(comment), columns: [] });
  for (const [, view = '', name = '', comment = ''] of migrations.matchAll(
    /^COMMENT ON COLUMN reporting\.(\w+)\.(\w+) IS '((?:[^']|'')*)';/gm,
  )) {
    const columns = views.get(view)?.columns;
    const known = columns?.find((column) => column.name === name);
    if (known) known.comment = text(comment);
    else columns?.push({ name, comment: text(comment) });
  }
  return [...views.values()];
}

const cell = (text: string): string => text.replaceAll('|', '\\|');
const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');

const viewSection = ({ name, comment, columns }: View): string =>
  `### \`${name}\`\n\n${comment}\n\n${table(
    ['column', 'meaning'],
    columns.map((column) => [`\`${column.name}\``, column.comment]),
  )}`;

const tableSection = ({ table: name, comment, columns }: Model): string =>
  `### \`${name}\`\n\n${comment}\n\n${table(
    ['column', 'type', 'null', 'meaning'],
    columns.map((column) => [`\`${column.name}\``, column.type, column.isNullable ? 'yes' : '', column.comment]),
  )}`;

/** The tables of one file, and those that they refer to. */
function diagram(models: Model[], tableOf: Map<string, string>): string {
  const lines = models.flatMap(({ relations }) =>
    relations.map(({ from, to, isOptional }) => `  ${tableOf.get(to)} ${isOptional ? '|o' : '||'}--o{ ${tableOf.get(from)} : ""`),
  );
  return lines.length === 0 ? '' : `\`\`\`mermaid\nerDiagram\n${[...new Set(lines)].join('\n')}\n\`\`\`\n\n`;
}

/** @param schema the text of each file of prisma/schema, by its name */
export function dictionary(schema: Map<string, string>, migrations: string): string {
  const enums = new Map(
    [...[...schema.values()].join('\n').matchAll(block('enum'))].map(([, , name = '', body = '']) => [name, mapped(body, name)]),
  );
  const files = [...schema].map(([file, text]) => ({
    file,
    models: [...text.matchAll(block('model'))].map((match) => modelOf(match, enums)),
  }));
  const tableOf = new Map(files.flatMap(({ models }) => models.map(({ name, table: mapped }) => [name, mapped])));
  const sections = files
    .filter(({ models }) => models.length > 0)
    .map(
      ({ file, models }) =>
        `## ${file.replace('.prisma', '')}\n\n${diagram(models, tableOf)}${models.map(tableSection).join('\n\n')}`,
    );
  return `# Data dictionary

Generated by \`node tools/database/dictionary.ts\` from \`prisma/schema\` and the reporting views. The database has the same comments.

## Reporting views

These columns never change: see [Reports on Tributary's own database](reporting-database.md). The tables below change with releases.

${readViews(migrations).map(viewSection).join('\n\n')}

${sections.join('\n\n')}
`;
}

export async function currentDictionary(): Promise<string> {
  const folder = inRepository('prisma', 'schema');
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.prisma'))
    .sort();
  const schema = new Map(files.map((file) => [file, readFileSync(path.join(folder, file), 'utf8')]));
  const migrations = inRepository('prisma', 'migrations');
  const statements = readdirSync(migrations, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => readFileSync(path.join(migrations, name, 'migration.sql'), 'utf8'));
  return formatText(DICTIONARY, dictionary(schema, statements.join('\n')));
}

if (import.meta.main) writeFileSync(inRepository(DICTIONARY), await currentDictionary());
