import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const repositoryFolder = fileURLToPath(new URL('..', import.meta.url));

export const inRepository = (...parts: string[]): string => path.join(repositoryFolder, ...parts);

/** The Node of the npm package `node`, if it exists for this platform; otherwise the running one. */
export function nodeProgram(): string {
  const installed = inRepository('node_modules', '.bin', 'node');
  return existsSync(installed) ? installed : process.execPath;
}

/** Environment of a child process: node_modules/.bin comes first in PATH, as in npm scripts. */
export function childEnvironment(extra: Record<string, string | undefined> = {}): NodeJS.ProcessEnv {
  const searchPath = [inRepository('node_modules', '.bin'), process.env.PATH].filter(Boolean).join(path.delimiter);
  return { ...process.env, PATH: searchPath, ...extra };
}
