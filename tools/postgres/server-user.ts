import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';

export interface ServerUser {
  name: string;
  uid: number;
  gid: number;
}

/** PostgreSQL does not run as root. Then it runs as `postgres`, or as the unprivileged user that every system has. */
export function findServerUser(): ServerUser | null {
  if (process.getuid?.() !== 0) return null;
  const entries = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const entry = entries.find(([name]) => name === 'postgres') ?? entries.find(([name]) => name === 'nobody');
  if (!entry) throw new Error('PostgreSQL cannot run as root, and there is no user "postgres" or "nobody" to run it as');
  return { name: entry[0] ?? '', uid: Number(entry[2]), gid: Number(entry[3]) };
}

/** Whether every user can reach a folder. If it does not exist, its nearest existing parent decides. */
export function isReachableByAll(folder: string): boolean {
  for (let current = path.resolve(folder); current !== path.dirname(current); current = path.dirname(current)) {
    const mode = statSync(current, { throwIfNoEntry: false })?.mode;
    if (mode !== undefined && (mode & 0o001) === 0) return false;
  }
  return true;
}
