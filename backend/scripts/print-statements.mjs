// npm run statements -w backend: prints how many statements of each module are in SQL, and how many go through Prisma's client,
// and why each file with SQL uses it.
import { listReasons, productStatements } from '../test/statements.ts';

const COLUMNS = [
  ['Prisma reads', 'prisma', 'read'],
  ['Prisma writes', 'prisma', 'write'],
  ['SQL reads', 'sql', 'read'],
  ['SQL writes', 'sql', 'write'],
  ['SQL locks', 'sql', 'lock'],
];

const statements = productStatements();
const countsOf = (some) =>
  Object.fromEntries(
    COLUMNS.map(([title, by, kind]) => [title, some.filter((one) => one.by === by && one.kind === kind).length]),
  );
const modules = [...new Set(statements.map(({ module }) => module))].toSorted();
console.table({
  ...Object.fromEntries(modules.map((name) => [name, countsOf(statements.filter(({ module }) => module === name))])),
  all: countsOf(statements),
});

for (const [module, files] of Map.groupBy(listReasons(), (one) => one.module)) {
  console.log(`\n${module}`);
  for (const { file, reasons } of files) console.log(`  ${file.replace(`${module}/`, '')}: ${reasons.join('; ') || 'NO REASON'}`);
}
