import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process for good: the system gives a process id again, but never with the same moment of start. */
export interface ProcessIdentity {
  pid: number;
  /** Opaque; null where the system does not tell, and then nothing is ever ended by it. */
  startedAt: string | null;
}

/** Field of /proc/<pid>/stat, counted after the closing bracket of the name: ticks from boot to start. */
const START_TICKS_FIELD = 19;

function readLinuxStart(pid: number): string | null {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A zombie has ended; only its parent has not looked yet.
  if (fields[0] === 'Z') return null;
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return `${boot}/${fields[START_TICKS_FIELD]}`;
}

function readStart(pid: number): string | null {
  try {
    if (process.platform === 'linux') return readLinuxStart(pid);
    if (process.platform === 'win32') return null;
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || null;
  } catch {
    return null;
  }
}

export const identify = (pid: number): ProcessIdentity => ({ pid, startedAt: readStart(pid) });

export function isAlive({ pid, startedAt }: ProcessIdentity): boolean {
  return startedAt !== null && readStart(pid) === startedAt;
}
