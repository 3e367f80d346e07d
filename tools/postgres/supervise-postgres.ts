import { setTimeout as sleep } from 'node:timers/promises';
import { identify, isAlive } from '../processes/identity.ts';
import { startPostgres, type Postgres, type PostgresOptions } from './start-postgres.ts';

const LOOK_EVERY_MS = 500;
/** Between two starts that failed: the processes of a killed server need a moment to release its shared memory. */
const FIRST_BACK_OFF_MS = 500;
const LONGEST_BACK_OFF_MS = 10_000;

/** A server that is started again, on the same data and port, when it exits without having been stopped. */
export async function supervisePostgres(options: PostgresOptions, onRestart: (message: string) => void): Promise<Postgres> {
  const server = await startPostgres(options);
  const stopping = new AbortController();
  const startAgain = () => startPostgres({ ...options, port: server.port });
  const watching = restartOnExit(server.pid, startAgain, onRestart, stopping.signal);
  const stop = async () => {
    stopping.abort();
    // A restart that is under way is waited for, so that it leaves no server behind.
    await watching;
    await server.stop();
  };
  return { ...server, stop };
}

async function restartOnExit(
  pid: number,
  startAgain: () => Promise<Postgres>,
  onRestart: (message: string) => void,
  signal: AbortSignal,
): Promise<void> {
  let current = identify(pid);
  let backOffMs = FIRST_BACK_OFF_MS;
  // Where the system does not say when a process started, none can be watched.
  while (current.startedAt !== null && !signal.aborted) {
    await pause(LOOK_EVERY_MS, signal);
    if (signal.aborted || isAlive(current)) continue;
    onRestart('PostgreSQL exited: starting it again');
    try {
      current = identify((await startAgain()).pid);
      backOffMs = FIRST_BACK_OFF_MS;
    } catch (error) {
      onRestart(error instanceof Error ? error.message : String(error));
      await pause(backOffMs, signal);
      backOffMs = Math.min(backOffMs * 2, LONGEST_BACK_OFF_MS);
    }
  }
}

/** Ends early with the signal, and does not keep the launcher alive. */
const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  sleep(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
