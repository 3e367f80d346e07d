import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const repositoryFolder = fileURLToPath(new URL('..', import.meta.url));

export const inRepository = (...parts: string[]): string => path.join(repositoryFolder, ...parts);

/** The Node that npm brought, when there is one for this platform; else the one that runs this. */
export function nodeProgram(): string {
  const installed = inRepository('node_modules', '.bin', 'node');
  return existsSync(installed) ? installed : process.execPath;
}

/** The environment of a child: node_modules/.bin first on the PATH, as npm does for its scripts. */
export function childEnvironment(extra: Record<string, string | undefined> = {}): NodeJS.ProcessEnv {
  const searchPath = [inRepository('node_modules', '.bin'), process.env.PATH].filter(Boolean).join(path.delimiter);
  return { ...process.env, PATH: searchPath, ...extra };
}
