import { readFileSync } from 'node:fs';
import path from 'node:path';

export const repository = path.resolve(import.meta.dirname, '..', '..', '..');
export const readFromRepository = (name: string): string => readFileSync(path.join(repository, name), 'utf8');

/** One instruction of a Dockerfile, its lines joined. */
export interface Instruction {
  keyword: string;
  text: string;
}

export interface Stage {
  name: string;
  instructions: Instruction[];
}

/** The last stage has no name: it is the product's image. */
export const PRODUCT = 'product';

/** The stages of the repository's Dockerfile. */
export function readStages(): Stage[] {
  const lines = readFromRepository('Dockerfile')
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n');
  const stages: Stage[] = [];
  for (const line of lines.filter((text) => text.trim() !== '')) {
    const [, keyword = '', text = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    if (keyword === 'FROM') stages.push({ name: / AS (\S+)$/.exec(text)?.[1] ?? PRODUCT, instructions: [] });
    else stages.at(-1)?.instructions.push({ keyword, text });
  }
  return stages;
}

/** COPY --from=<stage> <source>… <target>; without --from from the repository. */
export function readCopy(text: string): { from: string | undefined; sources: string[]; target: string } {
  const words = text.split(/\s+/);
  const options = words.filter((word) => word.startsWith('--'));
  const from = options[0]?.startsWith('--from=') ? options[0].slice('--from='.length) : undefined;
  if (options.length > (from === undefined ? 0 : 1) || /[*?["]/.test(text)) throw new Error(`Not supported here: COPY ${text}`);
  const sources = words.filter((word) => !word.startsWith('--'));
  const target = sources.pop() ?? '';
  return { from, sources, target };
}

/** Whether .dockerignore excludes a path of the repository, directly or with its folder. */
export function isIgnored(relative: string): boolean {
  const parts = relative.split(path.sep);
  const withFolders = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
  return patterns.some((pattern) => withFolders.some((name) => path.matchesGlob(name, pattern)));
}

const patterns = readFromRepository('.dockerignore')
  .split('\n')
  .filter((line) => line.trim() !== '' && !line.startsWith('#'));
