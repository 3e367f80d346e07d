import { randomBytes } from 'node:crypto';
import {
  type AccessTokenProvider,
  type CheckItem,
  type CheckMode,
  type ConnectorContext,
  WRITES_NOTHING,
} from '../kit/contract.js';
import { checkTimedOut, ConnectorError, CorruptAnswer } from '../kit/errors.js';
import { isDenied, toDestinationError } from './errors.js';
import { ensureDataset, findLocation, inDataset, verifyLocation } from './dataset.js';
import type { Jobs } from './jobs.js';
import { OWN_LABEL, TABLE_MARKER } from './markers.js';
import { readRows } from './query.js';
import { qualifiedTable } from './sql.js';
import { referenceOf } from './tables.js';
import { sendMultipart } from './upload.js';

/** Expiry of the test table, in case the check fails before it deletes the table. */
const PROBE_LIFE_MS = 3_600_000;
const CLEAR_UP_MS = 5_000;

interface CheckState {
  jobs: Jobs;
  tokens: AccessTokenProvider;
  context: ConnectorContext;
  mode: CheckMode;
  /** The test table, which is created, filled, changed and deleted. */
  table: string;
  /** Location of the dataset. */
  location: string;
  isDatasetMade: boolean;
  isTableMade: boolean;
}

interface Step {
  code: string;
  label: string;
  /** Needs a test table. */
  writes?: boolean;
  /** Required role, shown if the permission is missing. */
  role: string;
  /** Returns what was found, or null. Throws the error. */
  run(state: CheckState): Promise<string | null>;
}

const editor = 'the role BigQuery Data Editor on the dataset';
const jobUser = 'the role BigQuery Job User on the project';

const steps: Step[] = [
  { code: 'signs_in', label: 'Credentials accepted', role: '', run: signIn },
  { code: 'project', label: 'Project available', role: 'a role in the project', run: reachProject },
  {
    code: 'dataset',
    label: 'Dataset available',
    role: 'the role BigQuery Data Editor on the project, or create the dataset yourself',
    run: reachDataset,
  },
  { code: 'location', label: 'Dataset location matches', role: editor, run: compareLocation },
  { code: 'creates_tables', writes: true, label: 'Can create tables', role: editor, run: makeTable },
  { code: 'loads', writes: true, label: 'Can load rows', role: jobUser, run: loadRow },
  { code: 'queries', writes: true, label: 'Can read back rows', role: jobUser, run: readBack },
  { code: 'replaces', writes: true, label: 'Can replace rows', role: editor, run: replaceRow },
  { code: 'deletes_tables', writes: true, label: 'Can delete tables', role: editor, run: deleteTable },
];

/** Runs the steps in the order of a load. After the first failure the others are skipped. Deletes everything it creates. */
export async function checkDestination(
  jobs: Jobs,
  tokens: AccessTokenProvider,
  context: ConnectorContext,
  mode: CheckMode = 'full',
): Promise<CheckItem[]> {
  const table = `_tributary_check_${randomBytes(8).toString('hex')}`;
  const state: CheckState = { jobs, tokens, context, mode, table, location: '', isDatasetMade: false, isTableMade: false };
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
    await clearUp(state);
  }
}

async function runStep(step: Step, state: CheckState): Promise<CheckItem> {
  const startedAt = performance.now();
  const item = { code: step.code, label: step.label };
  const duration = () => Math.round(performance.now() - startedAt);
  try {
    state.context.signal.throwIfAborted();
    const detail = await step.run(state);
    return { ...item, state: 'passed', detail, action: null, durationMs: duration() };
  } catch (error) {
    const failure = state.context.signal.aborted
      ? checkTimedOut('BigQuery')
      : toDestinationError(error, state.jobs.api.destination);
    const { action, failureClass } = failure instanceof ConnectorError ? failure : { action: null };
    const detail = failure instanceof Error ? failure.message : null;
    return {
      ...item,
      state: 'failed',
      detail,
      action: isDenied(error) ? `Give the account ${step.role}` : action,
      ...(failureClass && { failureClass }),
      durationMs: duration(),
    };
  }
}

function skipped({ code, label }: Step): CheckItem {
  return { code, label, state: 'skipped', detail: null, action: null, durationMs: 0 };
}

async function signIn({ tokens, context }: CheckState): Promise<null> {
  await tokens.accessToken(context.signal);
  return null;
}

async function reachProject({ jobs: { api }, context }: CheckState): Promise<string> {
  await api.json(context, { method: 'GET', path: `${api.project}/datasets?maxResults=1` });
  return api.destination.projectId;
}

async function reachDataset(state: CheckState): Promise<string> {
  const { api } = state.jobs;
  const { datasetId } = api.destination;
  if (state.mode === 'read_only') {
    const found = await findLocation(api, state.context);
    state.location = found ?? api.destination.location;
    return found === null ? `${datasetId} will be created` : datasetId;
  }
  const { location, isMade } = await ensureDataset(api, state.context);
  state.location = location;
  state.isDatasetMade = isMade;
  return isMade ? `${datasetId} will be created` : datasetId;
}

async function compareLocation({ jobs: { api }, location }: CheckState): Promise<string> {
  verifyLocation(api, location);
  return location;
}

async function makeTable(state: CheckState): Promise<null> {
  const { api } = state.jobs;
  state.isTableMade = true;
  const json = {
    tableReference: referenceOf(api, state.table),
    schema: { fields: [{ name: 'number', type: 'INTEGER' }] },
    description: `Created by a destination check. ${TABLE_MARKER}.`,
    labels: OWN_LABEL,
    expirationTime: String(api.settings.now().getTime() + PROBE_LIFE_MS),
  };
  await inDataset(api, state.context, () => api.json(state.context, { method: 'POST', path: `${api.dataset}/tables`, json }));
  return null;
}

async function loadRow({ jobs, context, table }: CheckState): Promise<null> {
  const load = {
    destinationTable: referenceOf(jobs.api, table),
    sourceFormat: 'NEWLINE_DELIMITED_JSON',
    writeDisposition: 'WRITE_EMPTY',
  };
  await jobs.run(context, `tributary${table}`, (jobId) =>
    sendMultipart(
      jobs.api,
      context,
      { configuration: { load }, jobReference: jobs.reference(jobId) },
      Buffer.from('{"number":"9007199254740993"}\n'),
    ),
  );
  return null;
}

async function readBack({ jobs, context, table }: CheckState): Promise<null> {
  const rows = await readRows(jobs, context, `SELECT number FROM ${qualifiedTable(jobs.api.destination, table)}`);
  if (rows[0]?.[0] === '9007199254740993') return null;
  const message = 'The written row could not be read back.';
  throw new CorruptAnswer({ code: 'bigquery.not_read_back', message, action: 'Check the dataset in Google Cloud' });
}

/** Detects a project without billing, in which BigQuery loads and reads but does not change rows. */
async function replaceRow({ jobs, context, table }: CheckState): Promise<null> {
  const name = qualifiedTable(jobs.api.destination, table);
  const script = `BEGIN TRANSACTION; DELETE FROM ${name} WHERE TRUE; INSERT INTO ${name} (number) SELECT 1; COMMIT TRANSACTION`;
  await jobs.runQuery(context, `tributary${table}_replace`, script, []);
  return null;
}

async function deleteTable(state: CheckState): Promise<null> {
  const { api } = state.jobs;
  await api.json(state.context, { method: 'DELETE', path: `${api.dataset}/tables/${state.table}` });
  state.isTableMade = false;
  return null;
}

/** Runs whichever step failed. Deletes the dataset only if this check created it and it is empty. */
async function clearUp(state: CheckState): Promise<void> {
  const { api } = state.jobs;
  const context = { signal: AbortSignal.timeout(CLEAR_UP_MS), onRequest: state.context.onRequest };
  const remove = async (path: string): Promise<void> => {
    const answer = await api.sendSignedIn(context, { method: 'DELETE', path, accepted: [404] });
    await answer.text();
  };
  try {
    if (state.isTableMade) await remove(`${api.dataset}/tables/${state.table}`);
    if (state.isDatasetMade) await remove(api.dataset);
  } catch {
    // The table expires automatically. Only an empty dataset may remain.
  }
}
