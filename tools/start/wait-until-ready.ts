import { setTimeout as sleep } from 'node:timers/promises';
import type { SupervisedProcess } from '../processes/supervised-process.ts';

const POLL_MS = 100;
const ANSWER_TIMEOUT_MS = 2000;

/** Waits until the address responds. Throws with the end of the log if the process exits or the time is over. */
export async function waitUntilReady(child: SupervisedProcess, address: string, timeoutMs: number): Promise<void> {
  const giveUpAt = Date.now() + timeoutMs;
  while (!(await isReady(address))) {
    if (child.hasExited) throw new Error(`${child.name} did not start:\n${child.readLogEnd()}`);
    if (Date.now() > giveUpAt) throw new Error(`${child.name} is not ready after ${timeoutMs / 1000} s:\n${child.readLogEnd()}`);
    await sleep(POLL_MS);
  }
}

/** A 404 counts as ready: the server responds. */
async function isReady(address: string): Promise<boolean> {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
    await response.body?.cancel();
    return response.status < 500;
  } catch {
    return false;
  }
}
