import { setTimeout as wait } from 'node:timers/promises';
import { announce } from './announce.ts';
import { createOrganizations } from './connections.ts';
import { planDueTimes, selectDue } from './due-times.ts';
import type { Scene } from './scene.ts';
import { preparationMs, settings, tickMs, windowMs } from './settings.ts';

const POLL_MS = 500;

/** Organizations with connections, and the time at which each is due. Returns the ids in the order of the sizes. */
export async function fill({ apis, identity, database, login }: Scene, sizes: readonly number[]): Promise<string[]> {
  const clients = apis.map(({ url }) => ({ url, token: identity.token }));
  let created = 0;
  const ids = await announce(
    () => `${created} of ${sizes.length} organizations created`,
    () => createOrganizations(clients, identity, database, login, sizes, (count) => (created = count)),
  );
  await planDueTimes(database, ids, { windowMs, tickMs });
  return ids;
}

/**
 * The work that the creation of connections causes: one run in each organization, which also loads the code of the workers, and the facts
 * of all connections. With WARM_UP all connections run, so that the runs of the window find their tables.
 */
export async function prepare({ database }: Scene): Promise<void> {
  if (settings.isWarm) {
    await database.query(
      `update connections c set next_run_at = now()
        where not exists (select from runs r where r.organization_id = c.organization_id and r.connection_id = c.id)`,
    );
    await selectDue(database);
  }
  const deadline = performance.now() + preparationMs;
  let left = await readLeft(database);
  const untilDone = async () => {
    while (left.runs + left.marks > 0) {
      if (performance.now() > deadline) throw new Error(`not prepared in time: ${left.runs} runs and ${left.marks} marks remain`);
      await wait(POLL_MS);
      left = await readLeft(database);
      // Otherwise once a minute.
      if (left.runs === 0 && left.marks > 0)
        await database.query(`select graphile_worker.add_job('refresh-connection-facts', job_key => 'refresh-connection-facts')`);
    }
  };
  await announce(() => `the workers prepare: ${left.runs} first runs and ${left.marks} marks remain`, untilDone);
  await announce(
    () => 'analyzing the tables',
    () => database.query('vacuum analyze'),
  );
}

/** Connections that have to run before the window, and marks. */
async function readLeft(database: Scene['database']): Promise<{ runs: number; marks: number }> {
  const { rows } = await database.query<{ runs: number; marks: number }>(
    `select (select count(*) from connections where next_run_at <= now())::int
              + (select count(*) from runs where ended_at is null)::int as runs,
            (select count(*) from connection_marks)::int as marks`,
  );
  return rows[0] ?? { runs: 0, marks: 0 };
}
