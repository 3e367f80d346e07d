import type { RunDetail } from '../src/sync/api/runs.dto.js';
import type { TestApp } from './app.js';
import { eventually, expectStatus, type Organization } from './factories.js';

/** What decides whether a test continues. */
export interface RunProgress {
  id: string;
  state: string;
  isEnded: boolean;
  attempts: number;
}

/** The newest run of a connection, as the web app reads it. */
export async function newestRun({ call, path }: Organization, connectionId: string): Promise<RunDetail> {
  const page = await call.get<{ items: { id: string }[] }>(`${path}/runs?connectionId=${connectionId}&limit=1`);
  return (await call.get<RunDetail>(`${path}/runs/${page.body.items[0]?.id}`)).body;
}

/**
 * Waits until the newest run of a connection is in a state. Waits in the database: reading the run over HTTP until it ends took a third
 * of the processor time of the tests of runs.
 */
export async function runWhen(
  { database }: TestApp,
  { call, path }: Organization,
  connectionId: string,
  holds: (run: RunProgress) => boolean,
  timeoutMs?: number,
): Promise<RunDetail> {
  const [run] = await eventually(
    () =>
      database.query<RunProgress & Record<string, unknown>>(
        `select id, state, ended_at is not null as "isEnded", jsonb_array_length(attempts) as attempts from runs
          where connection_id = $1 order by queued_at desc, id desc limit 1`,
        [connectionId],
      ),
    ([found]) => found !== undefined && holds(found),
    timeoutMs,
  );
  return expectStatus(await call.get<RunDetail>(`${path}/runs/${run?.id}`), 200).body;
}

/** Waits for the end of the newest run. With `after`, the id of an earlier run: once another one is the newest. */
export const endedRun = (app: TestApp, organization: Organization, connectionId: string, after?: string): Promise<RunDetail> =>
  runWhen(app, organization, connectionId, ({ id, isEnded }) => isEnded && id !== after);
