import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';

export interface ServerUser {
  name: string;
  uid: number;
  gid: number;
}

/** PostgreSQL refuses to run as root. Then it runs as `postgres`, or as `nobody`, which every system has: no useradd. */
export function findServerUser(): ServerUser | null {
  if (process.getuid?.() !== 0) return null;
  const entries = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const entry = entries.find(([name]) => name === 'postgres') ?? entries.find(([name]) => name === 'nobody');
  if (!entry) throw new Error('PostgreSQL cannot run as root, and there is no user "postgres" or "nobody" to run it as');
  return { name: entry[0] ?? '', uid: Number(entry[2]), gid: Number(entry[3]) };
}

/** Whether any user may walk down to a folder; one that does not exist yet counts by its nearest parent. */
export function isReachableByAll(folder: string): boolean {
  for (let current = path.resolve(folder); current !== path.dirname(current); current = path.dirname(current)) {
    const mode = statSync(current, { throwIfNoEntry: false })?.mode;
    if (mode !== undefined && (mode & 0o001) === 0) return false;
  }
  return true;
}
