import { setTimeout as sleep } from 'node:timers/promises';
import type { SupervisedProcess } from '../processes/supervised-process.ts';

const POLL_MS = 100;
const ANSWER_TIMEOUT_MS = 2000;

/** Waits for an address to answer; a process that dies on the way is an error with its last words. */
export async function waitUntilReady(child: SupervisedProcess, address: string, timeoutMs: number): Promise<void> {
  const giveUpAt = Date.now() + timeoutMs;
  while (!(await isReady(address))) {
    if (child.hasDied) throw new Error(`${child.name} does not start:\n${child.lastWords()}`);
    if (Date.now() > giveUpAt) throw new Error(`${child.name} is not ready after ${timeoutMs / 1000} s:\n${child.lastWords()}`);
    await sleep(POLL_MS);
  }
}

/** 404 counts: the server answers, it only has nothing at this address. */
async function isReady(address: string): Promise<boolean> {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
    await response.body?.cancel();
    return response.status < 500;
  } catch {
    return false;
  }
}
