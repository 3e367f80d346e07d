import { setTimeout as sleep } from 'node:timers/promises';
import { identify, isAlive } from '../processes/identity.ts';
import { startPostgres, type Postgres, type PostgresOptions } from './start-postgres.ts';

const CHECK_EVERY_MS = 500;
/** Delay after a failed start. The processes of a killed server need time to release its shared memory. */
const FIRST_BACK_OFF_MS = 500;
const LONGEST_BACK_OFF_MS = 10_000;

/** Starts a server, and restarts it with the same data and port if it exits without being stopped. */
export async function supervisePostgres(options: PostgresOptions, onRestart: (message: string) => void): Promise<Postgres> {
  const server = await startPostgres(options);
  const stopping = new AbortController();
  const restart = () => startPostgres({ ...options, port: server.port });
  const watching = restartOnExit(server.pid, restart, onRestart, stopping.signal);
  const stop = async () => {
    stopping.abort();
    // Waits for a restart in progress, so that no server stays running.
    await watching;
    await server.stop();
  };
  return { ...server, stop };
}

async function restartOnExit(
  pid: number,
  restart: () => Promise<Postgres>,
  onRestart: (message: string) => void,
  signal: AbortSignal,
): Promise<void> {
  let current = identify(pid);
  let backOffMs = FIRST_BACK_OFF_MS;
  // Without the process's start time (not available on every system), it cannot be watched.
  while (current.startedAt !== null && !signal.aborted) {
    await pause(CHECK_EVERY_MS, signal);
    if (signal.aborted || isAlive(current)) continue;
    onRestart('PostgreSQL exited. Restarting it');
    try {
      current = identify((await restart()).pid);
      backOffMs = FIRST_BACK_OFF_MS;
    } catch (error) {
      onRestart(error instanceof Error ? error.message : String(error));
      await pause(backOffMs, signal);
      backOffMs = Math.min(backOffMs * 2, LONGEST_BACK_OFF_MS);
    }
  }
}

/** Resolves early when the signal aborts, and does not keep the process running. */
const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  sleep(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
