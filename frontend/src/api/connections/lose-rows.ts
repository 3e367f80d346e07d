import { runConnection } from '~/api/connections/connections';
import { getRun } from '~/api/connections/runs';
import type { Connection } from '~/api/types';
import { isRecord } from '~/lib/is-record';

/** The sandbox ends the fault itself if this page is closed before the run has ended. */
const LONGEST_FAULT_SECONDS = 60;
const POLL_MS = 400;

const post = async (url: string, body?: object): Promise<unknown> =>
  (await fetch(url, { method: 'POST', ...(body && { body: JSON.stringify(body) }) })).json();

const untilPolled = () => new Promise((resolve) => setTimeout(resolve, POLL_MS));

/**
 * For demos: the sandbox deletes rows of the connection's tables and loses what is written to them, until the run that this starts
 * has ended. The next run repairs the tables.
 */
export async function loseRows(sandboxUrl: string, organizationId: string, connection: Connection): Promise<void> {
  const faults = `${sandboxUrl}/admin/faults`;
  const added = await post(faults, {
    provider: 'postgresql',
    fault: 'lose_rows',
    schema: connection.destination.target.split('.').at(-1),
    tables: connection.streams.filter(({ isSelected }) => isSelected).map(({ targetTable }) => targetTable),
    endsAfterSeconds: LONGEST_FAULT_SECONDS,
  });
  if (!isRecord(added) || typeof added.id !== 'string') throw new Error('The sandbox did not delete rows');
  try {
    const { id } = await runConnection(organizationId, connection.id);
    const giveUpAt = Date.now() + LONGEST_FAULT_SECONDS * 1_000;
    while ((await getRun(organizationId, id)).endedAt === null && Date.now() < giveUpAt) await untilPolled();
  } finally {
    await post(`${faults}/${added.id}/clear`);
  }
}
