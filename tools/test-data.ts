import { createHash } from 'node:crypto';
import { mkdirSync, statfsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inRepository, repositoryFolder } from './repository.ts';

/** On Linux, a file system in memory. */
const MEMORY = '/dev/shm';
const GIBIBYTE = 1_024 ** 3;
/** All servers of a test run need less than half of it. */
const NEEDED = { fileSystem: 4 * GIBIBYTE, machine: 8 * GIBIBYTE };

/**
 * The folder for servers and instances of tests. Their data do not have to survive, and a test database has 1,000 files: in memory it is
 * created in a tenth of the time. The same for each run, so that a run finds what a killed one left. A computer without such a file system, or with
 * little memory, uses the folder .tmp of the repository.
 */
export function testDataFolder(): string {
  const name = `tributary-${createHash('sha256').update(repositoryFolder).digest('hex').slice(0, 12)}`;
  const folder = hasMemory() ? path.join(MEMORY, name) : inRepository('.tmp');
  mkdirSync(folder, { recursive: true, mode: 0o755 });
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
