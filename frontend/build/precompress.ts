import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const COMPRESSIBLE = /\.(js|css|svg|html|json|txt|webmanifest)$/;
/** Compression saves little of a smaller file. Larger ones share packets with other files of the page. */
const MIN_BYTES = 500;

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

async function compressFile(path: string): Promise<void> {
  const content = await readFile(path);
  if (content.length < MIN_BYTES) return;
  const brotli = await toBrotli(content, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
  });
  await writeFile(`${path}.br`, brotli);
  await writeFile(`${path}.gz`, await toGzip(content, { level: 9 }));
}

/** Writes `.br` and `.gz` next to every text file of the build, so that the server never compresses at request time. */
export function precompress(): Plugin {
  let outDir = 'dist';
  return {
    name: 'precompress',
    apply: 'build',
    configResolved: (config) => {
      outDir = join(config.root, config.build.outDir);
    },
    closeBundle: async () => {
      const entries = await readdir(outDir, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile() && COMPRESSIBLE.test(entry.name));
      await Promise.all(files.map((entry) => compressFile(join(entry.parentPath, entry.name))));
    },
  };
}

/**
 * Writes the id of this build to `builds/latest.json` and its file list to `builds/meta/<build>.json`. Open pages compare the id
 * with their own.
 */
export function buildMetadata(build: string): Plugin {
  let outDir = 'dist';
  return {
    name: 'build-metadata',
    apply: 'build',
    configResolved: (config) => {
      outDir = join(config.root, config.build.outDir);
    },
    writeBundle: async (_options, bundle) => {
      await mkdir(join(outDir, 'builds/meta'), { recursive: true });
      await writeFile(join(outDir, 'builds/latest.json'), JSON.stringify({ build }));
      await writeFile(join(outDir, `builds/meta/${build}.json`), JSON.stringify({ build, files: Object.keys(bundle).sort() }));
    },
  };
}
