import { setTimeout as delay } from 'node:timers/promises';

/** Waits. If the run is stopped, throws its abort reason instead of the timer's. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal }).catch(() => undefined);
  signal.throwIfAborted();
}
