import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, type ProcessIdentity } from './identity.ts';

/** Sends the signal to the process and, if it leads a process group, to the whole group. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, signal);
      return;
    } catch {
      // ESRCH: not a group leader, or already ended.
    }
  }
}

/** Sends SIGTERM, waits, then sends SIGKILL. Returns true if the process had to be killed. */
export async function endProcess(identity: ProcessIdentity, graceMs: number): Promise<boolean> {
  if (!isAlive(identity)) return false;
  signalGroup(identity.pid, 'SIGTERM');
  const giveUpAt = Date.now() + graceMs;
  while (Date.now() < giveUpAt) {
    if (!isAlive(identity)) return false;
    await sleep(50);
  }
  signalGroup(identity.pid, 'SIGKILL');
  return true;
}
