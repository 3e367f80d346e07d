import pg from 'pg';
import { type DemoContext, type SandboxAddress, sandboxAnswer } from './resources.ts';
import { HIDDEN_PROJECT, KARACHI_ACCOUNT, PENDING_ACCOUNTS, RESTATED_ACCOUNT, type Story, type Trouble } from './stories.ts';
import { runToEnd, startRun } from './runs.ts';

const STOPPED_DAYS = 3;
const MONTH_SECONDS = 2_592_000;
const DAY_MS = 86_400_000;

type Cause = (context: DemoContext, connectionId: string, story: Story) => Promise<unknown>;

const addFault = (context: SandboxAddress, fault: object): Promise<{ id: string }> => sandboxAnswer(context, 'faults', fault);

const dayBefore = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

/** Faults that last. The sandbox forgets them when it stops, so they are added at each start. */
const LASTING_FAULTS: Partial<Record<Trouble, object[]>> = {
  throttled: [{ provider: 'microsoft-ads', fault: 'throttle', accountId: KARACHI_ACCOUNT }],
  hidden_events: [{ provider: 'mixpanel', fault: 'delay_events', seconds: MONTH_SECONDS, projectId: HIDDEN_PROJECT.projectId }],
  slow_first_load: PENDING_ACCOUNTS.map((accountId) => ({ provider: 'microsoft-ads', fault: 'never_finishes', accountId })),
};

export async function addLastingFaults(context: SandboxAddress, trouble: Trouble): Promise<void> {
  for (const fault of LASTING_FAULTS[trouble] ?? []) await addFault(context, fault);
}

/** Causes the trouble of a story with the product and the sandbox, as it would happen. */
export const CAUSES: Record<Trouble, Cause> = {
  none: () => Promise.resolve(),
  // Added before the first run: see seed-portfolio.ts.
  slow_first_load: () => Promise.resolve(),
  lost_rows: loseRows,
  revoked_rights: revokeRights,
  ended_sign_in: async (context, connectionId, { app }) => {
    await addFault(context, { provider: 'meta-ads', fault: 'revoke', user: app.user });
    await runToEnd(context, connectionId);
  },
  throttled: async (context, connectionId) => {
    await addLastingFaults(context, 'throttled');
    await startRun(context, connectionId);
  },
  hidden_events: async (context, connectionId) => {
    const days = { accountId: RESTATED_ACCOUNT, from: dayBefore(9), to: dayBefore(2) };
    await addFault(context, { provider: 'meta-ads', fault: 'restate', ...days });
    await addLastingFaults(context, 'hidden_events');
    await runToEnd(context, connectionId);
  },
  stopped_days_ago: stopDaysAgo,
  paused: ({ client, base }, connectionId) => client.post(`${base}/connections/${connectionId}/pause`),
};

/** The fault ends before the next run, so that a repair succeeds. */
async function loseRows(context: DemoContext, connectionId: string): Promise<void> {
  const { id } = await addFault(context, {
    provider: 'postgresql',
    fault: 'lose_rows',
    ...(await placeOf(context, connectionId)),
  });
  try {
    await runToEnd(context, connectionId);
  } finally {
    await fetch(`${context.sandboxUrl}/admin/faults/${id}`, { method: 'DELETE' });
  }
}

interface Written {
  destination: { target: string };
  streams: { isSelected: boolean; targetTable: string }[];
}

/** Where a connection to PostgreSQL writes. */
async function placeOf({ client, base }: DemoContext, connectionId: string): Promise<{ schema: string; tables: string[] }> {
  const { destination, streams } = await client.get<Written>(`${base}/connections/${connectionId}`);
  const tables = streams.filter(({ isSelected }) => isSelected).map(({ targetTable }) => targetTable);
  return { schema: destination.target.split('.').at(-1) ?? 'public', tables };
}

/** The quoted names of its tables. */
async function tablesOf(context: DemoContext, connectionId: string): Promise<string[]> {
  const { schema, tables } = await placeOf(context, connectionId);
  return tables.map((table) => `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(table)}`);
}

/** As if an administrator had changed the rights of the role. */
async function revokeRights(context: DemoContext, connectionId: string): Promise<void> {
  const tables = await tablesOf(context, connectionId);
  await withClient(context.warehouseUrl, async (client) => {
    for (const table of tables) await client.query(`revoke insert, update, delete on ${table} from current_user`);
  });
  await runToEnd(context, connectionId);
}

/** Takes the last days out of the table and out of coverage, as if no run had loaded them. */
async function stopDaysAgo(context: DemoContext, connectionId: string): Promise<void> {
  const tables = await tablesOf(context, connectionId);
  await withClient(context.warehouseUrl, async (client) => {
    for (const table of tables) await client.query(`delete from ${table} where date > $1`, [dayBefore(STOPPED_DAYS + 1)]);
  });
  await withClient(context.databaseUrl, async (client) => {
    await client.query('delete from coverage where connection_id = $1 and day > $2', [connectionId, dayBefore(STOPPED_DAYS + 1)]);
    const newer = 'select id from runs where connection_id = $1 and queued_at::date > $2::date';
    for (const [table, column] of [
      ['run_log_entries', 'run_id'],
      ['run_slices', 'run_id'],
      ['runs', 'id'],
    ] as const)
      await client.query(`delete from ${table} where ${column} in (${newer})`, [connectionId, dayBefore(STOPPED_DAYS)]);
    await client.query(
      `update coverage set run_id = (select id from runs where connection_id = $1 order by queued_at desc limit 1) where connection_id = $1`,
      [connectionId],
    );
  });
}

async function withClient(connectionString: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
