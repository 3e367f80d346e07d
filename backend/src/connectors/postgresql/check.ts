import { randomBytes } from 'node:crypto';
import net from 'node:net';
import type { CheckItem, ConnectorContext } from '../kit/contract.js';
import { type EgressPolicy, resolveAllowed } from '../kit/egress.js';
import { ConnectorError, FixSettings } from '../kit/errors.js';
import { endOnAbort, openClient, type OpenClient } from './connection.js';
import { codeOf, toDestinationError } from './errors.js';
import type { PostgresqlSettings } from './settings.js';
import { quote } from './tables.js';

const MINIMUM_VERSION = 15;
const CONNECT_TIMEOUT_MS = 8_000;
/** Longer than the server itself may work on a step. */
const ANSWER_TIMEOUT_MS = 25_000;

interface Step {
  code: string;
  label: string;
  /** What was found, or null; throws what is wrong. */
  run(state: CheckState): Promise<string | null>;
}

interface CheckState {
  settings: PostgresqlSettings;
  egress: EgressPolicy;
  signal: AbortSignal;
  /** What the host name stood for. */
  address: string;
  /** The attempt to sign in, made once; the steps after the network read different things out of it. */
  signIn: SignIn | null;
}

type SignIn = { client: OpenClient } | { error: unknown; code: string };

const steps: Step[] = [
  { code: 'resolves', label: 'The host name is known', run: resolveHost },
  { code: 'connects', label: 'The server answers', run: reachPort },
  { code: 'encrypts', label: 'The connection is encrypted as asked', run: checkEncryption },
  { code: 'signs_in', label: 'The user may sign in', run: checkSignIn },
  { code: 'database', label: 'The database exists', run: checkDatabase },
  { code: 'version', label: `PostgreSQL ${MINIMUM_VERSION} or newer`, run: (state) => checkVersion(clientOf(state)) },
  { code: 'schema', label: 'The schema exists or can be made', run: (state) => checkSchema(clientOf(state), state.settings) },
  { code: 'creates_tables', label: 'Tables can be made', run: (state) => checkTables(clientOf(state), state.settings) },
  {
    code: 'reads_back',
    label: 'What was written can be read back',
    run: (state) => checkReadBack(clientOf(state), state.settings),
  },
];

/** Steps in the order a connection is made; after the first that fails the others are skipped. Leaves nothing behind. */
export async function checkDestination(
  settings: PostgresqlSettings,
  egress: EgressPolicy,
  context: ConnectorContext,
): Promise<CheckItem[]> {
  const state: CheckState = { settings, egress, signal: context.signal, address: '', signIn: null };
  const items: CheckItem[] = [];
  try {
    for (const step of steps) {
      const hasFailed = items.some((item) => item.state === 'failed') || context.signal.aborted;
      items.push(hasFailed ? skipped(step) : await runStep(step, state));
    }
    return items;
  } finally {
    if (state.signIn && 'client' in state.signIn) await state.signIn.client.end().catch(() => undefined);
  }
}

async function runStep(step: Step, state: CheckState): Promise<CheckItem> {
  const startedAt = performance.now();
  const item = { code: step.code, label: step.label };
  const duration = () => Math.round(performance.now() - startedAt);
  try {
    const detail = await step.run(state);
    return { ...item, state: 'passed', detail, action: null, durationMs: duration() };
  } catch (error) {
    const failure = toDestinationError(error, state.settings);
    const action = failure instanceof ConnectorError ? failure.action : null;
    return { ...item, state: 'failed', detail: failure.message, action, durationMs: duration() };
  }
}

function skipped(step: Step): CheckItem {
  return { code: step.code, label: step.label, state: 'skipped', detail: null, action: null, durationMs: 0 };
}

async function resolveHost(state: CheckState): Promise<string | null> {
  state.address = await resolveAllowed(state.settings.host, state.egress);
  return state.address === state.settings.host ? null : state.address;
}

/** Only the network: whether something listens there. */
function reachPort({ address, settings: { host, port } }: CheckState): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host: address, port, timeout: CONNECT_TIMEOUT_MS });
    const end = (finish: () => void) => {
      socket.destroy();
      finish();
    };
    socket.once('connect', () => end(() => resolve(`${host}:${port}`)));
    socket.once('timeout', () => end(() => reject(new Error('timeout'))));
    socket.once('error', (error) => end(() => reject(error)));
  });
}

async function checkEncryption(state: CheckState): Promise<string> {
  const client = await openClient(state.settings, state.egress, ANSWER_TIMEOUT_MS).catch((error: unknown) => error);
  state.signIn = client instanceof Error || !isClient(client) ? { error: client, code: codeOf(client) } : { client };
  if ('client' in state.signIn) {
    endOnAbort(state.signIn.client, state.signal);
    return state.signIn.client.isEncrypted ? 'TLS' : 'Not encrypted';
  }
  // The server has answered with an SQLSTATE, so the encryption itself stands.
  if (/^[0-9A-Z]{5}$/.test(state.signIn.code)) return state.settings.sslMode === 'disable' ? 'Not encrypted' : 'As asked';
  throw state.signIn.error;
}

function isClient(value: unknown): value is OpenClient {
  return typeof value === 'object' && value !== null && 'isEncrypted' in value;
}

/** PostgreSQL looks for the database only after the password was right. */
async function checkSignIn({ signIn, settings }: CheckState): Promise<string> {
  if (signIn && 'error' in signIn && signIn.code !== '3D000') throw signIn.error;
  return settings.user;
}

async function checkDatabase({ signIn, settings }: CheckState): Promise<string> {
  if (signIn && 'error' in signIn) throw signIn.error;
  return settings.database;
}

function clientOf({ signIn }: CheckState): OpenClient {
  if (signIn && 'client' in signIn) return signIn.client;
  throw new Error('the steps of the check are out of order');
}

async function checkVersion(client: OpenClient): Promise<string> {
  const { rows } = await client.query<{ version: string; number: number }>(
    `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number`,
  );
  const version = rows[0]?.version ?? 'unknown';
  if ((rows[0]?.number ?? 0) >= MINIMUM_VERSION * 10_000) return version;
  const message = `The server runs PostgreSQL ${version}.`;
  throw new FixSettings({
    code: 'postgresql.version',
    message,
    action: `Update the server to PostgreSQL ${MINIMUM_VERSION} or newer`,
  });
}

async function checkSchema(client: OpenClient, { schema, user, database }: PostgresqlSettings): Promise<string> {
  const { rows } = await client.query<{ exists: boolean; mayCreate: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = $1) AS exists, has_database_privilege(current_database(), 'CREATE') AS "mayCreate"`,
    [schema],
  );
  if (rows[0]?.exists) return schema;
  if (rows[0]?.mayCreate) return `${schema} will be made`;
  throw new FixSettings({
    code: 'postgresql.schema_missing',
    message: `There is no schema "${schema}", and "${user}" may not make one in "${database}".`,
    action: 'Create the schema, or grant the user CREATE on the database',
    failureClass: 'permission',
  });
}

async function checkTables(client: OpenClient, settings: PostgresqlSettings): Promise<null> {
  await withProbeTable(client, settings, async () => undefined);
  return null;
}

async function checkReadBack(client: OpenClient, settings: PostgresqlSettings): Promise<null> {
  await withProbeTable(client, settings, async (table) => {
    await client.query(`INSERT INTO ${table} (day) VALUES ('2026-01-31')`);
    const { rowCount } = await client.query(`SELECT day FROM ${table}`);
    if (rowCount !== 1) throw new Error('the row that was written did not come back');
    // Staging uses temporary tables, which a database may forbid.
    await client.query('CREATE TEMP TABLE _tributary_check_staging (day date) ON COMMIT DROP');
  });
  return null;
}

/** In a transaction that is always rolled back, so that no table stays. */
async function withProbeTable(
  client: OpenClient,
  { schema }: PostgresqlSettings,
  use: (table: string) => Promise<void>,
): Promise<void> {
  const table = `${quote(schema)}.${quote(`_tributary_check_${randomBytes(6).toString('hex')}`)}`;
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL lock_timeout = '10s'; SET LOCAL statement_timeout = '20s'`);
    const { rowCount } = await client.query('SELECT FROM pg_namespace WHERE nspname = $1', [schema]);
    if (rowCount === 0) await client.query(`CREATE SCHEMA ${quote(schema)}`);
    await client.query(`CREATE TABLE ${table} (day date PRIMARY KEY)`);
    await use(table);
  } finally {
    await client.query('ROLLBACK');
  }
}
