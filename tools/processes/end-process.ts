import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, type ProcessIdentity } from './identity.ts';

/** Signals the process and, when it leads a group of its own, everything it started. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, signal);
      return;
    } catch {
      // ESRCH: not a group leader, or already gone.
    }
  }
}

/** Asks, waits, then insists. Gives true when the process had to be killed. */
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
