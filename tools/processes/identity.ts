import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Identifies a process. The system reuses process ids, but not with the same start time. */
export interface ProcessIdentity {
  pid: number;
  /** Opaque. Null if the system does not report it; then the process is never ended by this identity. */
  startedAt: string | null;
}

/** Index of the start time (ticks since boot) in /proc/<pid>/stat, counted after the closing bracket of the name. */
const START_TICKS_FIELD = 19;

function readLinuxStart(pid: number): string | null {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A zombie has ended; its parent has not read its exit code yet.
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
