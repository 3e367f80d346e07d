import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { readJsonFile, writeJsonFile } from '../json-file.ts';
import { runCommand } from '../processes/run-command.ts';
import { inRepository } from '../repository.ts';
import { stampSources } from './build-stamp.ts';

export interface BuildPart {
  workspace: 'backend' | 'frontend';
  sources: string[];
  /** Files of the build. If one is missing, the build runs. */
  products: string[];
}

const SHARED_SOURCES = ['package-lock.json', 'tsconfig.base.json'];

export const BACKEND: BuildPart = {
  workspace: 'backend',
  sources: [
    'backend/src',
    'backend/scripts',
    'backend/package.json',
    'backend/tsconfig.json',
    'backend/.swcrc',
    'prisma/schema',
    ...SHARED_SOURCES,
  ],
  products: ['backend/dist/src/main.js', 'backend/dist/node_modules', 'backend/src/generated', 'backend/src/metadata.ts'],
};
export const FRONTEND: BuildPart = {
  workspace: 'frontend',
  // The documentation is part of the build.
  sources: ['frontend', 'docs', 'README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', ...SHARED_SOURCES],
  products: ['frontend/dist/index.html', 'frontend/dist/docs/index.html'],
};

/** Not in .data: all instances of this checkout use the same build, and a reset does not delete it. */
const stampFile = () => inRepository('.tmp', 'build.json');

/** Skipped when no source has changed since the last build. */
export async function build(part: BuildPart, signal: AbortSignal): Promise<void> {
  const stamp = stampSources(inRepository(), part.sources);
  const stored = readJsonFile<Record<string, string>>(stampFile()) ?? {};
  if (stored[part.workspace] === stamp && part.products.every((product) => existsSync(inRepository(product)))) return;
  const result = await runCommand('npm', ['run', 'build', '-w', part.workspace], { signal });
  if (!result.isPassed) throw new Error(`Cannot build the ${part.workspace}:\n${result.output.slice(-4000)}`);
  mkdirSync(path.dirname(stampFile()), { recursive: true });
  // Read again, because the other part may have finished in the meantime.
  const now = readJsonFile<Record<string, string>>(stampFile()) ?? {};
  writeJsonFile(stampFile(), { ...now, [part.workspace]: stamp });
}
