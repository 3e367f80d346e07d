import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** Folders and files that builds and tests write. */
const NOT_SOURCES = new Set([
  'node_modules',
  'dist',
  'generated',
  'metadata.ts',
  'test-results',
  'playwright-report',
  'e2e',
  'coverage',
]);

function* filesOf(place: string): Generator<string> {
  const status = statSync(place, { throwIfNoEntry: false });
  if (!status) return;
  if (!status.isDirectory()) {
    yield `${place} ${status.size} ${status.mtimeMs}`;
    return;
  }
  for (const name of readdirSync(place).sort()) {
    if (!NOT_SOURCES.has(name)) yield* filesOf(path.join(place, name));
  }
}

/** The hash changes with every added, removed, renamed or saved file. It uses sizes and dates only, so it takes milliseconds. */
export function stampSources(root: string, places: string[]): string {
  const hash = createHash('sha256');
  for (const place of places) for (const line of filesOf(path.join(root, place))) hash.update(`${line}\n`);
  return hash.digest('hex');
}
