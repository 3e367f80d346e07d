import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { type CheckItem, type CheckMode, type ConnectorContext, WRITES_NOTHING } from '../kit/contract.js';
import type { EgressPolicy } from '../kit/egress.js';
import { ConnectorError, FixSettings } from '../kit/errors.js';
import { findPlace, signIn, type SignIn } from './connection/connection.js';
import { codeOf, READ_ONLY, toDestinationError } from './errors.js';
import type { PostgresqlSettings } from './settings.js';
import { dial, type Place } from './connection/socket.js';
import { foreignTables } from './rejections.js';
import { isPooled, pooledServer } from './connection/pooled.js';
import { quote } from './tables/names.js';

const MINIMUM_VERSION = 15;
const CONNECT_TIMEOUT_MS = 5_000;
/** Longer than the server's own limit for a step. */
const ANSWER_TIMEOUT_MS = 25_000;

interface Step {
  code: string;
  label: string;
  /** Creates a table and rolls it back. */
  writes?: boolean;
  /** Returns what was found, or null. Throws the error. */
  run(state: CheckState): Promise<string | Warning | null>;
}

interface Warning {
  detail: string;
  action: string;
}

interface CheckState {
  settings: PostgresqlSettings;
  egress: EgressPolicy;
  signal: AbortSignal;
  /** The resolved address of the host. */
  place: Place | null;
  /** The result of a single sign-in attempt, which several steps evaluate. */
  signIn: SignIn | null;
}

const REACHES = 'connects';

const steps: Step[] = [
  { code: REACHES, label: 'Server reachable', run: reachServer },
  { code: 'encrypts', label: 'TLS as configured', run: checkEncryption },
  { code: 'signs_in', label: 'Credentials accepted', run: checkSignIn },
  { code: 'database', label: 'Database exists', run: checkDatabase },
  { code: 'version', label: `PostgreSQL ${MINIMUM_VERSION} or newer`, run: (state) => checkVersion(clientOf(state)) },
  { code: 'session', label: 'Own session', run: checkSession },
  { code: 'schema', label: 'Schema available', run: (state) => checkSchema(clientOf(state), state.settings) },
  {
    code: 'creates_tables',
    label: 'Can create tables',
    writes: true,
    run: (state) => checkTables(clientOf(state), state.settings),
  },
  {
    code: 'reads_back',
    label: 'Can read back rows',
    writes: true,
    run: (state) => checkReadBack(clientOf(state), state.settings),
  },
];

/** Runs the steps in the order of a connection. After the first failure the others are skipped. Leaves nothing behind. */
export async function checkDestination(
  settings: PostgresqlSettings,
  egress: EgressPolicy,
  context: ConnectorContext,
  mode: CheckMode = 'full',
): Promise<CheckItem[]> {
  const state: CheckState = { settings, egress, signal: context.signal, place: null, signIn: null };
  const items: CheckItem[] = [];
  try {
    for (const step of steps) {
      const hasFailed = items.some((item) => item.state === 'failed');
      const isSkipped = mode === 'read_only' && step.writes;
      if (isSkipped) items.push({ ...skipped(step), detail: hasFailed ? null : WRITES_NOTHING });
      else items.push(hasFailed ? skipped(step) : await runStep(step, state));
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
    state.signal.throwIfAborted();
    const found = await step.run(state);
    if (isWarning(found)) return { ...item, state: 'passed', ...found, isWarning: true, durationMs: duration() };
    return { ...item, state: 'passed', detail: found, action: null, durationMs: duration() };
  } catch (error) {
    const failure = toDestinationError(error, state.settings);
    const { action, failureClass: classOfError } = failure instanceof ConnectorError ? failure : { action: null };
    // A run waits for the end of a failover. For a user who checks, the host is wrong until then.
    const failureClass = codeOf(error) === READ_ONLY ? 'destination' : classOfError;
    const durationMs = step.code === REACHES ? 0 : duration();
    return { ...item, state: 'failed', detail: failure.message, action, durationMs, ...(failureClass && { failureClass }) };
  }
}

const isWarning = (found: string | Warning | null): found is Warning => typeof found === 'object' && found !== null;

function skipped(step: Step): CheckItem {
  return { code: step.code, label: step.label, state: 'skipped', detail: null, action: null, durationMs: 0 };
}

/**
 * Whether a PostgreSQL server responds. Every failure gives the same result without a duration, because the reason would reveal
 * hosts and ports in private networks.
 */
async function reachServer(state: CheckState): Promise<string> {
  const { host, port } = state.settings;
  const signal = AbortSignal.any([state.signal, AbortSignal.timeout(CONNECT_TIMEOUT_MS)]);
  try {
    state.place = await findPlace(state.settings, state.egress, signal);
    const { socket } = await dial(state.place, signal);
    socket.destroy();
  } catch (cause) {
    throw Object.assign(new Error('no PostgreSQL server could be reached', { cause }), { code: 'UNREACHABLE' });
  }
  return `${host}:${port}`;
}

async function checkEncryption(state: CheckState): Promise<string | Warning> {
  const { settings, place, signal } = state;
  if (!place) throw new Error('the steps of the check are out of order');
  state.signIn = await signIn(settings, place, { answerMs: ANSWER_TIMEOUT_MS, signal });
  const { isEncrypted } = state.signIn;
  if (isEncrypted === null && 'error' in state.signIn) throw state.signIn.error;
  if (!isEncrypted)
    return { detail: 'Not encrypted', action: 'Enable TLS on the server, then select the encryption "Automatic"' };
  return settings.sslMode === 'verify-full' ? 'TLS, certificate verified' : 'TLS, certificate not verified';
}

/** PostgreSQL reports a missing database only after the password was accepted. */
async function checkSignIn({ signIn, settings }: CheckState): Promise<string> {
  if (signIn && 'error' in signIn && codeOf(signIn.error) !== '3D000') throw signIn.error;
  return settings.user;
}

async function checkDatabase({ signIn, settings }: CheckState): Promise<string> {
  if (signIn && 'error' in signIn) throw signIn.error;
  return settings.database;
}

function clientOf({ signIn }: CheckState): pg.Client {
  if (signIn && 'client' in signIn) return signIn.client;
  throw new Error('the steps of the check are out of order');
}

async function checkVersion(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ version: string; number: number }>(
    `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number`,
  );
  const version = /^[0-9][\w.]{0,30}/.exec(String(rows[0]?.version))?.[0] ?? '(unknown version)';
  if ((rows[0]?.number ?? 0) >= MINIMUM_VERSION * 10_000) return version;
  const message = `The server runs PostgreSQL ${version}.`;
  throw new FixSettings({
    code: 'postgresql.version',
    message,
    action: `Update the server to PostgreSQL ${MINIMUM_VERSION} or newer`,
  });
}

async function checkSession(state: CheckState): Promise<null> {
  const { settings, place, signal } = state;
  if (!place) throw new Error('the steps of the check are out of order');
  const other = await signIn(settings, place, { answerMs: ANSWER_TIMEOUT_MS, signal });
  if ('error' in other) throw other.error;
  try {
    if (await isPooled(clientOf(state), other.client)) throw pooledServer(settings);
  } finally {
    await other.client.end().catch(() => undefined);
  }
  return null;
}

async function checkSchema(client: pg.Client, { schema, user, database }: PostgresqlSettings): Promise<string> {
  const { rows } = await client.query<{ exists: boolean; mayCreate: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = $1) AS exists, has_database_privilege(current_database(), 'CREATE') AS "mayCreate"`,
    [schema],
  );
  if (rows[0]?.exists) return schema;
  if (rows[0]?.mayCreate) return `${schema} will be created`;
  throw new FixSettings({
    code: 'postgresql.schema_missing',
    message: `The schema "${schema}" does not exist, and "${user}" has no permission to create it in "${database}".`,
    action: 'Create the schema, or grant the user CREATE on the database',
    failureClass: 'permission',
  });
}

async function checkTables(client: pg.Client, settings: PostgresqlSettings): Promise<null> {
  await withProbeTable(client, settings, async () => undefined);
  await checkOwnTables(client, settings);
  return null;
}

/** An earlier user of the destination may have created the tables that every load needs. */
async function checkOwnTables(client: pg.Client, settings: PostgresqlSettings): Promise<void> {
  const { rows } = await client.query<{ table: string }>(
    `SELECT c.relname AS "table" FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = $1 AND c.relname IN ('_tributary_tables', '_tributary_runs')
        AND NOT (has_table_privilege(c.oid, 'SELECT') AND has_table_privilege(c.oid, 'INSERT')
             AND has_table_privilege(c.oid, 'UPDATE') AND has_table_privilege(c.oid, 'DELETE'))
      ORDER BY c.relname DESC LIMIT 1`,
    [settings.schema],
  );
  const [denied] = rows;
  if (!denied) return;
  throw new FixSettings({
    code: 'postgresql.42501',
    failureClass: 'permission',
    ...foreignTables(denied.table, settings),
  });
}

async function checkReadBack(client: pg.Client, settings: PostgresqlSettings): Promise<null> {
  await withProbeTable(client, settings, async (table) => {
    await client.query(`INSERT INTO ${table} (day) VALUES ('2026-01-31')`);
    const { rowCount } = await client.query(`SELECT day FROM ${table}`);
    if (rowCount !== 1) throw new Error('the written row could not be read back');
    // Staging uses temporary tables, which a database can forbid.
    await client.query('CREATE TEMP TABLE _tributary_check_staging (day date) ON COMMIT DROP');
  });
  return null;
}

/** Runs in a transaction that is always rolled back, so that no table remains. */
async function withProbeTable(
  client: pg.Client,
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
    // A lost connection needs no rollback, and its own error is reported.
    await client.query('ROLLBACK').catch(() => undefined);
  }
}
