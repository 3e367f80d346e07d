import { describe, expect, it } from 'vitest';
import { READS_ELSEWHERE } from './reads-elsewhere.js';
import {
  findStatements,
  INSERTED,
  listReasons,
  productStatements,
  readOwners,
  reasonsOf,
  sourceFiles,
  type Statement,
  TABLES,
} from './statements.js';

/** Files that write tables of other modules, with the reason. */
const ALLOWED: Record<string, string> = {
  'organizations/deletion/purge-deleted-organizations.ts': 'the purge deletes the rows of every table by a list of names',
  'organizations/deletion/purge-deleted-resources.ts': 'the purge deletes the rows of every table by a list of names',
  'core/encryption/rotate-keys.ts': 'the rotation encrypts every column of a list again',
};
const owners = new Map(readOwners());
const statements = productStatements();
const placeOf = ({ file, line }: Statement): string => `${file}:${line}`;

describe('the owner of a table', () => {
  it('is one module for each table (docs/architecture.md)', () => {
    expect(
      readOwners()
        .map(([table]) => table)
        .toSorted(),
    ).toEqual(TABLES);
  });

  it('is the only module that writes it', () => {
    expect(statements.filter(({ kind }) => kind === 'write').length).toBeGreaterThan(300);
    const foreign = statements.filter(({ writes, module }) => writes.some((table) => owners.get(table) !== module));
    expect(foreign.filter(({ file }) => !ALLOWED[file]).map(placeOf)).toEqual([]);
    expect(new Set(foreign.map(({ file }) => file))).toEqual(new Set(Object.keys(ALLOWED)));
  });

  it.each([
    ['SQL', 'await query(`with x as (select 1) update  runs r set state = 1 from x`);', ['runs']],
    ['SQL over several lines', 'await query(`\n delete\n from "runs" where organization_id = $1`);', ['runs']],
    ['SQL with an inserted name', 'await query(`insert into ${table} values (1)`);', [INSERTED]],
    ['Prisma', `await transaction.run.updateMany({ where: {} });`, ['runs']],
    ['Prisma of a tenant', `await this.tenants.of(id).run.create({ data: {} });`, ['runs']],
    ['locks and reads, which are no writes', 'await query(`select 1 from runs for update`, [this.db.run.findMany()]);', []],
    ['an upsert', 'await query(`insert into runs values (1) on conflict (id) do update set state = 1`);', ['runs']],
  ])('is found in %s', (_name, code, tables) => {
    expect(findStatements('billing/some-file.ts', code).flatMap(({ writes }) => writes)).toEqual(tables);
  });
});

/**
 * Tables that all modules join: names of users, the organization's time zone and deletion, membership, and the access that a
 * subscription gives (`accessSql`).
 */
const JOINED_BY_ALL = new Set(['organizations', 'users', 'members', 'subscriptions']);

/** Reads by Prisma's client are checked by the schema's relations, and locks and conditions of writes belong to the writer. */
const foreignReadsOf = ({ by, kind, module, reads }: Statement): string[] =>
  by === 'sql' && kind === 'read' && module !== 'read-models'
    ? reads.filter((table) => owners.get(table) !== module && !JOINED_BY_ALL.has(table))
    : [];

describe('SQL that reads tables of several modules', () => {
  it('is in read-models, with listed exceptions', () => {
    const found = new Map<string, Set<string>>();
    for (const statement of statements)
      for (const table of foreignReadsOf(statement))
        found.set(statement.file, (found.get(statement.file) ?? new Set()).add(table));
    const listed = Object.entries(READS_ELSEWHERE).map(([file, tables]) => `${file}: ${tables}`);
    expect([...found].map(([file, tables]) => `${file}: ${[...tables].toSorted().join(' ')}`).toSorted()).toEqual(
      listed.toSorted(),
    );
  });

  it('is only read in read-models', () => {
    const own = statements.filter(({ module }) => module === 'read-models');
    expect(own.length).toBeGreaterThan(8);
    expect(own.filter(({ kind }) => kind !== 'read').map(placeOf)).toEqual([]);
  });

  it.each([
    ['a join', 'await query(`select 1 from subscriptions s join connections c on c.organization_id = $1`);', ['connections']],
    ['a subquery', 'await query(`select (select count(*) from runs) from subscriptions where organization_id = $1`);', ['runs']],
    ['a part of a statement', 'const RUNS = `(select 1 from runs r)`;', ['runs']],
    ['tables of its own and of all', 'await query(`select 1 from subscriptions join organizations o on o.id = $1`);', []],
    ['a lock', 'await query(`select 1 from connections where organization_id = $1 for update`);', []],
  ])('is found in %s', (_name, code, tables) => {
    expect(findStatements('billing/some-file.ts', code).flatMap(foreignReadsOf)).toEqual(tables);
  });
});

/** SQL that writes in modules that persist through Prisma, by file. */
const SQL_WRITES: Record<string, string> = {
  'billing/checkout/checkout-validity.ts': 'a lock: one check of a checkout a minute, over all processes',
  'organizations/deletion/purge-deleted-organizations.ts': 'the purge deletes the rows of every table by a list of names',
  'organizations/deletion/purge-deleted-resources.ts': 'the purge deletes the rows of every table by a list of names',
  'organizations/organizations.service.ts': 'a person has one default organization of all, before the new one is known',
};

it.each(['users', 'organizations', 'invitations', 'members', 'billing', 'analytics'])(
  '%s writes through Prisma, with listed exceptions',
  (name) => {
    const written = statements.filter(({ module, by, kind }) => module === name && by === 'sql' && kind === 'write');
    expect(written.filter(({ file }) => !SQL_WRITES[file]).map(placeOf)).toEqual([]);
    const listed = Object.keys(SQL_WRITES).filter((file) => file.startsWith(`${name}/`));
    expect(new Set(written.map(({ file }) => file))).toEqual(new Set(listed));
  },
);

describe('a file with SQL', () => {
  it('gives the reason for SQL in one line', () => {
    const files = listReasons();
    expect(files.length).toBeGreaterThan(100);
    expect(files.filter(({ reasons }) => reasons.length === 0).map(({ file }) => file)).toEqual([]);
  });

  it.each([
    ['a line of its own', `// SQL: locks the organization's row.\n\nconst a = 1;`, [`locks the organization's row`]],
    ['a line within a function', `  // SQL: skips locked rows.\n  await query('');`, ['skips locked rows']],
    ['a sentence only', `// SQL: locks the organization's row`, []],
    ['more than a word only', '// SQL: locks.', []],
    ['a line comment only', `/** SQL: locks the organization's row. */`, []],
  ])('gives it in %s', (_name, code, reasons) => {
    expect(reasonsOf('billing/some-file.ts', code)).toEqual(reasons);
  });
});

it('the job queue is called by queueJob and queueJobs only, so that every payload has a type', () => {
  const callers = sourceFiles().filter(({ code }) => /\badd_jobs?\(/.test(code));
  expect(callers.map(({ file }) => file)).toEqual(['core/jobs/define-job.ts']);
});
