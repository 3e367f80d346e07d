import type { ConnectorContext } from '../../connectors/kit/contract.js';

/** Longer than the time in which Meta answers, and shorter than that after which a stopping container is killed (60 s). */
const ANSWER_MS = 40_000;

/**
 * Sends a batch of which no further part is sent once the context is aborted. The request in progress is aborted only if its answer
 * does not arrive in time after that: without the answer, its events could be counted twice.
 */
export async function untilAnswered<Result>(
  context: ConnectorContext,
  send: (context: ConnectorContext) => Promise<Result>,
): Promise<Result> {
  const { signal: ending } = context;
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const startTimer = (): void => {
    timer = setTimeout(() => late.abort(ending.reason), ANSWER_MS).unref();
  };
  if (ending.aborted) startTimer();
  else ending.addEventListener('abort', startTimer, { once: true });
  try {
    return await send({ ...context, signal: late.signal, ending });
  } finally {
    clearTimeout(timer);
    ending.removeEventListener('abort', startTimer);
  }
}
