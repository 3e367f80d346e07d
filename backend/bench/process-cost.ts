import { readdirSync, readFileSync } from 'node:fs';

/** Of one core, as Linux counts it in /proc; the usual 100 ticks a second. */
const MS_PER_TICK = 10;

/** Processor time of a process, in ms; with the children that have ended when `withChildren`. */
function cpuMs(pid: number, withChildren: boolean): number {
  const fields = statOf(pid);
  if (!fields) return 0;
  const [user, system, childUser, childSystem] = fields.slice(11, 15).map(Number) as [number, number, number, number];
  return (user + system + (withChildren ? childUser + childSystem : 0)) * MS_PER_TICK;
}

export const processCpuMs = (pid: number): number => cpuMs(pid, false);

/** A PostgreSQL server: its first process, the sessions that are open, and those that have ended. */
export function serverCpuMs(pid: number): number {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && statOf(Number(name))?.[1] === String(pid));
  return children.reduce((sum, child) => sum + cpuMs(Number(child), false), cpuMs(pid, true));
}

/** From the state of the process on: its name may hold spaces. */
function statOf(pid: number): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}
