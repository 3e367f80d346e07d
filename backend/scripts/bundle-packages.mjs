// Bundles the npm packages that the built product imports into dist/node_modules, where Node looks first. Otherwise a start loads 2,000 small
// files of packages, which takes a third of its processor time. The product's own files stay separate: connectors are found by their folders,
// and errors show lines of the sources (docs/decisions/0032-bundle-packages.md).
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const SOURCE = path.resolve(import.meta.dirname, '..', 'dist', 'src');
const TARGET = path.resolve(SOURCE, '..', 'node_modules');
const ENTRY = 'packages:';

/** Loaded from the installed packages: they read their own files, or must exist once in a process. */
const isSeparate = (name) => /^(@prisma\/client|firebase-admin|graphile-worker|reflect-metadata)(\/|$)/.test(name);
/** Packages that others support and the product does not use. */
const isOptional = (name) => /^(@nestjs\/(microservices|websockets)|@fastify\/|pg-native)/.test(name);

const IMPORT = /(?:from|import) ?\(?['"]([^.'"/#][^'"]*)['"]/g;
const isPackage = (name) => /^(@[\w.-]+\/)?[\w.-]+(\/[\w.-]+)*$/.test(name) && !isBuiltin(name) && !isSeparate(name);

/** Each package, or path in a package, that a file imports. */
function listImports() {
  const files = globSync('**/*.js', { cwd: SOURCE });
  const texts = files.map((file) => readFileSync(path.join(SOURCE, file), 'utf8'));
  return new Set(texts.flatMap((text) => [...text.matchAll(IMPORT)].map(([, name]) => name)).filter(isPackage));
}

/** `@scope/name/path` as [`@scope/name`, `path`], and `index` for the package itself. */
function partsOf(imported) {
  const parts = imported.split('/');
  const folder = parts.splice(0, imported.startsWith('@') ? 2 : 1).join('/');
  return [folder, parts.join('/') || 'index'];
}

/** The same exports as the package has for Node, which also finds those of a CommonJS package. */
async function sourceOf(imported) {
  const names = Object.keys(await import(imported)).filter((name) => name !== 'module.exports');
  return `export { ${names.join(', ')} } from '${imported}';\n`;
}

/** A chunk for each package: one for all takes 30 MB more memory. */
const chunkOf = (file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)[1].replace('@', '').replace('/', '-');

const entries = {
  name: 'entries',
  resolveId: (id, importer) => {
    if (id.startsWith(ENTRY)) return `\0${id}.mjs`;
    // As if a file of the product imported it.
    return importer?.startsWith(`\0${ENTRY}`) ? fileURLToPath(import.meta.resolve(id)) : null;
  },
  load: (id) => (id.startsWith(`\0${ENTRY}`) ? sourceOf(id.slice(ENTRY.length + 1, -'.mjs'.length)) : null),
};

function writeManifests(imports) {
  const exports = Map.groupBy(imports, (imported) => partsOf(imported)[0]);
  for (const [folder, all] of exports) {
    const paths = all.map(partsOf).map(([, file]) => [file === 'index' ? '.' : `./${file}`, `./${file}.js`]);
    writeFileSync(
      path.join(TARGET, folder, 'package.json'),
      JSON.stringify({ name: folder, type: 'module', exports: Object.fromEntries(paths) }, null, 2),
    );
  }
}

const imports = listImports();
rmSync(TARGET, { recursive: true, force: true });
mkdirSync(TARGET, { recursive: true });
const build = await rolldown({
  input: Object.fromEntries([...imports].map((imported) => [partsOf(imported).join('/'), `${ENTRY}${imported}`])),
  platform: 'node',
  external: (id) => isSeparate(id) || isOptional(id),
  plugins: [entries],
  treeshake: false,
  // It warns of cycles within packages.
  logLevel: 'silent',
});
await build.write({
  dir: TARGET,
  format: 'esm',
  // Node keeps the text of each loaded file in memory. Names stay, so that errors can be read.
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  comments: false,
  keepNames: true,
  chunkFileNames: '.chunks/[name].js',
  codeSplitting: { groups: [{ name: chunkOf, test: /node_modules/ }] },
});
writeManifests(imports);
