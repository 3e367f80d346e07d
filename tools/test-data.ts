import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, statfsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { repositoryFolder } from './repository.ts';

/** On Linux, a file system in memory. */
const MEMORY = '/dev/shm';
const GIBIBYTE = 1_024 ** 3;
/** The servers of a test run use some hundred megabytes. */
const NEEDED = { fileSystem: 4 * GIBIBYTE, machine: 8 * GIBIBYTE };

/**
 * The folder for servers and instances of tests. Their data do not have to survive, and a test database has 1,000 files, which
 * take 0.02 s to write in memory and 0.5 s on a slow disk. The same for each run, so that a run finds what a killed one left.
 * @param otherwise on a computer without such a file system or with little memory
 */
export function testDataFolder(otherwise: string): string {
  if (!hasMemory()) return otherwise;
  const name = `tributary-${createHash('sha256').update(repositoryFolder).digest('hex').slice(0, 12)}`;
  const folder = path.join(MEMORY, name);
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755); // As root, PostgreSQL runs as another user, which must be able to reach its folder.
  return folder;
}

function hasMemory(): boolean {
  try {
    const { blocks, bsize } = statfsSync(MEMORY);
    return blocks * bsize >= NEEDED.fileSystem && os.totalmem() >= NEEDED.machine;
  } catch {
    return false;
  }
}
