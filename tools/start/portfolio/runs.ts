import { setTimeout as sleep } from 'node:timers/promises';
import type { DemoContext } from './resources.ts';

const POLL_MS = 500;
const LONGEST_RUN_MS = 300_000;

interface ConnectionRuns {
  activeRun: { id: string } | null;
  lastRun: { id: string; state: string } | null;
}

const read = ({ client, base }: DemoContext, connectionId: string): Promise<ConnectionRuns> =>
  client.get<ConnectionRuns>(`${base}/connections/${connectionId}`);

/** Waits until no run of the connection is active. */
export async function untilIdle(context: DemoContext, connectionId: string): Promise<void> {
  const giveUpAt = Date.now() + LONGEST_RUN_MS;
  while ((await read(context, connectionId)).activeRun) {
    if (Date.now() > giveUpAt) throw new Error(`A run of the connection ${connectionId} has not ended after 5 minutes`);
    await sleep(POLL_MS, undefined, { signal: context.signal });
  }
}

export const startRun = ({ client, base }: DemoContext, connectionId: string): Promise<{ id: string }> =>
  client.post<{ id: string }>(`${base}/connections/${connectionId}/run`);

export async function runToEnd(context: DemoContext, connectionId: string): Promise<void> {
  await startRun(context, connectionId);
  await untilIdle(context, connectionId);
}
