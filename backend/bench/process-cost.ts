import { readdirSync, readFileSync } from 'node:fs';

/** Ticks of one core as Linux counts them in /proc: usually 100 per second. */
const MS_PER_TICK = 10;

/** CPU time of a process in ms; including ended children if `withChildren`. */
function cpuMs(pid: number, withChildren: boolean): number {
  const fields = statOf(pid);
  if (!fields) return 0;
  const [user, system, childUser, childSystem] = fields.slice(11, 15).map(Number) as [number, number, number, number];
  return (user + system + (withChildren ? childUser + childSystem : 0)) * MS_PER_TICK;
}

export const processCpuMs = (pid: number): number => cpuMs(pid, false);

/** A PostgreSQL server: its main process, open sessions and ended sessions. */
export function serverCpuMs(pid: number): number {
  return childrenOf(pid).reduce((sum, child) => sum + cpuMs(child, false), cpuMs(pid, true));
}

/** Memory of a PostgreSQL server in MB: that of its processes, and the shared memory once. */
export function serverMegabytes(pid: number): number {
  const processes = [pid, ...childrenOf(pid)];
  const own = processes.reduce((sum, one) => sum + kilobytesOf(one, 'RssAnon'), 0);
  return (own + Math.max(...processes.map((one) => kilobytesOf(one, 'RssShmem')))) / 1_024;
}

const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && statOf(Number(name))?.[1] === String(pid))
    .map(Number);

function kilobytesOf(pid: number, name: string): number {
  try {
    return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Fields from the process state on, because the process name may contain spaces. */
function statOf(pid: number): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}
