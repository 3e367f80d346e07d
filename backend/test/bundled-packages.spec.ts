import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';

interface Manifest {
  name: string;
  exports: Record<string, string>;
}

const folder = path.resolve(import.meta.dirname, '..', 'dist', 'node_modules');
const manifests = globSync(['*/package.json', '@*/*/package.json'], { cwd: folder }).map((file) => path.join(folder, file));
const bundled = manifests.flatMap((file) => {
  const { name, exports } = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
  return Object.entries(exports).map(([subpath, target]) => ({
    imported: path.posix.join(name, subpath),
    file: pathToFileURL(path.join(path.dirname(file), target)).href,
  }));
});
const namesOf = (module: object) =>
  Object.keys(module)
    .filter((name) => name !== 'module.exports')
    .sort();

it('the built product imports bundled packages', () => {
  expect(bundled.map(({ imported }) => imported)).toEqual(
    expect.arrayContaining(['@nestjs/common', 'class-validator', 'csv-parse/sync', 'pg', 'zod']),
  );
});

it.each(bundled)('the bundle of $imported has the exports of the package', async ({ imported, file }) => {
  const [bundle, original] = [(await import(file)) as object, (await import(imported)) as object];
  expect(namesOf(bundle)).toEqual(namesOf(original));
  for (const name of namesOf(original))
    expect([name, typeof Reflect.get(bundle, name)]).toEqual([name, typeof Reflect.get(original, name)]);
});
