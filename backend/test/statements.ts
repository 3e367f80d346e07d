import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const repository = path.resolve(import.meta.dirname, '..', '..');
const source = path.join(repository, 'backend', 'src');

/** One SQL text or one call of Prisma's client. */
export interface Statement {
  by: 'sql' | 'prisma';
  /** A statement that writes and locks is a write; one that reads and locks is a lock. */
  kind: 'read' | 'write' | 'lock';
  /** Tables that it writes. `INSERTED` is part of a name that is inserted into SQL. */
  writes: string[];
  /** Tables that it reads and does not write. */
  reads: string[];
  /** Folder of backend/src. */
  module: string;
  file: string;
  line: number;
}

interface Model {
  table: string;
  /** Tables by the names of relations. */
  relations: Map<string, string>;
}

/** Models by Prisma's delegates, such as `appEvent`. */
const MODELS = readModels();
export const TABLES = [...MODELS.values()].map(({ table }) => table).toSorted();

/** A name that is inserted into SQL. */
export const INSERTED = '$name';
const SQL_STATEMENT = /^\s*(?:with|select|insert|update|delete|truncate|merge|lock)\b/i;
const SQL_WRITE = /\b(?:insert\s+into|delete\s+from|update(?:\s+only)?|truncate(?:\s+table)?|merge\s+into)\s+"?([\w$.]+)/gi;
const SQL_READ = /\b(?:from|join|using)\s+(?:only\s+|lateral\s+)?"?(\w+)/gi;
const SQL_LOCK = /\bfor\s+(?:no\s+key\s+)?(?:update|share)\b|\bfor\s+key\s+share\b|pg_(?:try_)?advisory|^\s*lock\s/i;
const PRISMA_WRITES = new Set([
  'create', 'createMany', 'createManyAndReturn', 'update', 'updateMany', 'updateManyAndReturn', 'delete', 'deleteMany', 'upsert',
]); // prettier-ignore
const PRISMA_READS = new Set([
  'findUnique', 'findUniqueOrThrow', 'findFirst', 'findFirstOrThrow', 'findMany', 'count', 'aggregate', 'groupBy',
]); // prettier-ignore

function readModels(): Map<string, Model> {
  const texts = globSync(path.join(repository, 'prisma', 'schema', '*.prisma')).map((file) => readFileSync(file, 'utf8'));
  const bodies = texts.flatMap((text) =>
    [...text.matchAll(/^model (\w+) \{([\s\S]*?)^\}/gm)].map(([, name = '', body = '']): [string, string] => [name, body]),
  );
  const tables = new Map(bodies.map(([name, body]) => [name, /@@map\("(\w+)"\)/.exec(body)?.[1] ?? name]));
  return new Map(
    bodies.map(([name, body]) => {
      const fields = [...body.matchAll(/^\s+(\w+)\s+(\w+)/gm)];
      const relations = new Map(
        fields.flatMap(([, field = '', type = '']): [string, string][] => {
          const table = tables.get(type);
          return table ? [[field, table]] : [];
        }),
      );
      return [name.charAt(0).toLowerCase() + name.slice(1), { table: tables.get(name) ?? name, relations }];
    }),
  );
}

/** The text of a string or template. */
function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return null;
  return node.head.text + node.templateSpans.map(({ literal }) => INSERTED + literal.text).join('');
}

type Found = Pick<Statement, 'by' | 'kind' | 'writes' | 'reads'>;

const namesIn = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name = '']) => name);
const unique = (names: string[]): string[] => [...new Set(names)];

/** Null for other texts and for parts of a statement that touch no table. */
function inSql(text: string): Found | null {
  const writes = unique(namesIn(text, SQL_WRITE).filter((name) => TABLES.includes(name) || name.includes(INSERTED)));
  const reads = unique(namesIn(text, SQL_READ).filter((name) => TABLES.includes(name) && !writes.includes(name)));
  if (!SQL_STATEMENT.test(text) && writes.length + reads.length === 0) return null;
  if (writes.length > 0) return { by: 'sql', kind: 'write', writes, reads };
  const isLock = SQL_LOCK.test(text);
  return isLock || reads.length > 0 ? { by: 'sql', kind: isLock ? 'lock' : 'read', writes, reads } : null;
}

/** Tables of the relations that a call names in `where`, `include`, `select` or `data`. */
function relatedTables(node: ts.CallExpression, { relations }: Model): string[] {
  const tables: string[] = [];
  const visit = (child: ts.Node, known: Map<string, string>): void => {
    const name = ts.isPropertyAssignment(child) && ts.isIdentifier(child.name) ? child.name.text : '';
    const table = known.get(name);
    if (table) tables.push(table);
    const next = [...MODELS.values()].find((model) => model.table === table)?.relations ?? known;
    ts.forEachChild(child, (grandchild) => visit(grandchild, next));
  };
  for (const argument of node.arguments) visit(argument, relations);
  return tables;
}

function inCall(node: ts.Node): Found | null {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return null;
  const { name, expression: delegate } = node.expression;
  const isWrite = PRISMA_WRITES.has(name.text);
  if ((!isWrite && !PRISMA_READS.has(name.text)) || !ts.isPropertyAccessExpression(delegate)) return null;
  const model = MODELS.get(delegate.name.text);
  if (!model) return null;
  const related = unique(relatedTables(node, model)).filter((table) => table !== model.table);
  if (isWrite) return { by: 'prisma', kind: 'write', writes: [model.table], reads: related };
  return { by: 'prisma', kind: 'read', writes: [], reads: [model.table, ...related] };
}

/** Statements of a file, in SQL and by Prisma's client. */
export function findStatements(file: string, code: string): Statement[] {
  const parsed = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  const module = file.includes('/') ? (file.split('/')[0] ?? '') : 'core';
  const statements: Statement[] = [];
  const visit = (node: ts.Node): void => {
    const text = textOf(node);
    const found = text === null ? inCall(node) : inSql(text);
    if (found) {
      const line = parsed.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      statements.push({ ...found, module, file, line });
    }
    ts.forEachChild(node, visit);
  };
  visit(parsed);
  return statements;
}

export const sourceFiles = (): { file: string; code: string }[] =>
  globSync('**/*.ts', { cwd: source })
    .filter((file) => !file.endsWith('.spec.ts') && !file.startsWith('generated/') && file !== 'metadata.ts')
    .map((file) => ({ file, code: readFileSync(path.join(source, file), 'utf8') }));

/** All statements of the product. Connectors are left out: they read and write destinations, not the product's database. */
export const productStatements = (): Statement[] =>
  sourceFiles()
    .filter(({ file }) => !file.startsWith('connectors/'))
    .flatMap(({ file, code }) => findStatements(file, code));

/** Files with parts of statements only. The files that use them give the reason. */
const PARTS: Record<string, string> = {
  'connections/connection-facts.queries.ts': 'part of the statements of connections.queries.ts',
  'read-models/complete-through.ts': 'part of the statements that show how far connections are complete',
};
const REASON = /^[ \t]*\/\/ SQL: (\S.{9,})\.$/gm;

/** Why a file uses SQL. It says so in one line, such as `// SQL: locks the organization's row.` */
export function reasonsOf(file: string, code: string): string[] {
  const stated = [...code.matchAll(REASON)].map(([, reason = '']) => reason);
  const part = PARTS[file];
  return stated.length === 0 && part ? [part] : stated;
}

/** Files with SQL, and why each of them uses it. */
export function listReasons(): { module: string; file: string; reasons: string[] }[] {
  const moduleOf = new Map(
    productStatements()
      .filter(({ by }) => by === 'sql')
      .map(({ file, module }) => [file, module]),
  );
  return sourceFiles()
    .flatMap(({ file, code }) => {
      const module = moduleOf.get(file);
      return module ? [{ module, file, reasons: reasonsOf(file, code) }] : [];
    })
    .toSorted((one, other) => (one.file < other.file ? -1 : 1));
}

/** The table of owners in docs/architecture.md. */
export function readOwners(): [table: string, module: string][] {
  const text = readFileSync(path.join(repository, 'docs', 'architecture.md'), 'utf8');
  const section = /## Owners of tables\n([\s\S]*?)\n## /.exec(text)?.[1] ?? '';
  return [...section.matchAll(/^\| `([\w-]+)` +\| (.*?) +\|$/gm)].flatMap(([, module = '', tables = '']) =>
    [...tables.matchAll(/`(\w+)`/g)].map(([, table = '']): [string, string] => [table, module]),
  );
}
