import { setTimeout as delay } from 'node:timers/promises';

/** Waits, unless the run is stopped: then with its own reason and not the timer's. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal }).catch(() => undefined);
  signal.throwIfAborted();
}
