/** Polls /healthz until it gets a message. In its own thread, so that sending large bodies does not delay the measurement. */
import { setTimeout as wait } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const POLL_MS = 20;
const MOST_MS = 60_000;

const { url } = workerData as { url: string };
let isEnded = false;
parentPort?.once('message', () => (isEnded = true));
let slowestMs = 0;
do {
  const startedAt = performance.now();
  await fetch(url, { signal: AbortSignal.timeout(MOST_MS) })
    .then((answer) => answer.text())
    .catch(() => undefined);
  slowestMs = Math.max(slowestMs, performance.now() - startedAt);
  await wait(POLL_MS);
} while (!isEnded);
parentPort?.postMessage(slowestMs);
