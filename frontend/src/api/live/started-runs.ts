import type { Connection } from '~/api/types';

/** Runs that the user started on this page. Their end is reported, wherever the user is then. */
const started = new Set<string>();
/** Requests that start a run and have no response yet. A run can end before its response arrives. */
const requests = new Set<Promise<unknown>>();

async function remember<Answer>(request: Promise<Answer>, runOf: (answer: Answer) => string | undefined): Promise<Answer> {
  const remembered = request.then((answer) => {
    const runId = runOf(answer);
    if (runId !== undefined) started.add(runId);
    return answer;
  });
  requests.add(remembered);
  try {
    return await remembered;
  } finally {
    requests.delete(remembered);
  }
}

/** A run that was active already, and is followed by the requested one, was not started by the user. */
export const rememberRun = <Run extends { id: string; hasFollowUp: boolean }>(request: Promise<Run>): Promise<Run> =>
  remember(request, ({ id, hasFollowUp }) => (hasFollowUp ? undefined : id));

/** The user created the connection, which started its first run. */
export const rememberFirstRun = <Created extends Pick<Connection, 'activeRun' | 'lastRun'>>(
  request: Promise<Created>,
): Promise<Created> => remember(request, ({ activeRun, lastRun }) => activeRun?.runId ?? lastRun?.id);

/** Whether the user started the run. True once. */
export async function takeStarted(runId: string): Promise<boolean> {
  await Promise.allSettled(requests);
  return started.delete(runId);
}
