import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type CheckItem, type CheckMode, type ConnectorContext, WRITES_NOTHING } from '../kit/contract.js';
import { checkTimedOut, ConnectorError, FixSettings, NotVerifiedYet, RetryLater } from '../kit/errors.js';
import type { MixpanelApi } from './api.js';
import { packEvents } from './packed-events.js';
import { verifyRegion, readOneLine } from './region.js';
import { LOADED_BY } from './shape.js';
import type { Credentials, ProjectSettings } from './settings.js';

export interface CheckParts {
  api: MixpanelApi;
  project: ProjectSettings;
  credentials: Credentials;
  now(): Date;
  waitsMs: number[];
}

interface Step {
  code: string;
  label: string;
  /** Uses the import. */
  writes?: boolean;
  /** Returns what was found, or null. Throws the error. */
  run(parts: CheckParts, context: ConnectorContext): Promise<string | null>;
}

/** Writes nothing: the import receives an invalid event, which it only validates. */
const steps: Step[] = [
  { code: 'signs_in', label: 'Credentials accepted', run: checkSignIn },
  { code: 'project', label: 'Project accessible', run: checkProject },
  { code: 'residency', label: 'Data residency matches', run: checkResidency },
  { code: 'imports', label: 'Can import events', writes: true, run: checkImport },
  { code: 'reads_back', label: 'Can read back events', run: checkExport },
];

/** Runs the steps in the order of their dependencies. After the first failure the others are skipped. */
export async function checkDestination(
  parts: CheckParts,
  context: ConnectorContext,
  mode: CheckMode = 'full',
): Promise<CheckItem[]> {
  const items: CheckItem[] = [];
  for (const step of steps) {
    const hasFailed = items.some((item) => item.state === 'failed');
    const skipped = { code: step.code, label: step.label, state: 'skipped', detail: null, action: null, durationMs: 0 } as const;
    const isSkipped = mode === 'read_only' && step.writes;
    if (isSkipped) items.push({ ...skipped, detail: hasFailed ? null : WRITES_NOTHING });
    else items.push(hasFailed ? skipped : await runStep(step, context, () => step.run(parts, context)));
  }
  return items;
}

/**
 * Sends one event with its own name, so that no ads report counts it. Passes with a warning while Mixpanel does not return it
 * yet.
 */
export async function sendTestEvent(parts: CheckParts, context: ConnectorContext): Promise<CheckItem> {
  const step = { code: 'test_event', label: 'Test event arrives' };
  return runStep(step, context, async () => {
    const event = testEvent(parts.now());
    const outcome = await parts.api.importEvents(context, await packEvents([JSON.stringify(event)]));
    if (outcome.isTooLarge || outcome.imported !== 1) throw notTaken();
    if (await isShownSoon(parts, context, event)) return `"${event.event}" was sent and read back`;
    throw notShownYet();
  });
}

type TestEvent = ReturnType<typeof testEvent>;

/** Whether it is returned within the wait times and the time limit. */
async function isShownSoon(parts: CheckParts, context: ConnectorContext, event: TestEvent): Promise<boolean> {
  try {
    for (const waitMs of [0, ...parts.waitsMs]) {
      await delay(waitMs, undefined, { signal: context.signal });
      if (await isShown(parts, context, event)) return true;
    }
  } catch (error) {
    if (!context.signal.aborted) throw error;
  }
  return false;
}

function testEvent(now: Date) {
  const time = now.getTime() - 60_000;
  const properties = { time, distinct_id: '', $insert_id: randomUUID(), ip: 0, loaded_by: LOADED_BY };
  return { event: 'Tributary Test', properties };
}

async function isShown({ api }: CheckParts, context: ConnectorContext, { event, properties }: TestEvent): Promise<boolean> {
  const day = (offsetMs: number) => new Date(properties.time + offsetMs).toISOString().slice(0, 10);
  const where = `properties["loaded_by"] == ${JSON.stringify(LOADED_BY)}`;
  const lines = api.exportLines(context, { from: day(-86_400_000), to: day(86_400_000), where, event });
  let isFound = false;
  for await (const line of lines) isFound ||= line.includes(properties.$insert_id);
  return isFound;
}

async function runStep(
  { code, label }: Pick<Step, 'code' | 'label'>,
  { signal }: ConnectorContext,
  run: () => Promise<string | null>,
): Promise<CheckItem> {
  const startedAt = performance.now();
  const duration = () => Math.round(performance.now() - startedAt);
  try {
    signal.throwIfAborted();
    return { code, label, state: 'passed', detail: await run(), action: null, durationMs: duration() };
  } catch (thrown) {
    const error = signal.aborted && !(thrown instanceof ConnectorError) ? checkTimedOut('Mixpanel') : thrown;
    if (!(error instanceof ConnectorError)) throw error;
    const found = { code, label, detail: error.message, action: error.action, durationMs: duration() };
    if (error instanceof NotVerifiedYet) return { ...found, state: 'passed', isWarning: true };
    // An exhausted hourly query limit does not mean that a setting is wrong.
    const state = error instanceof RetryLater && error.failureClass === 'quota' ? 'skipped' : 'failed';
    return { ...found, state, ...(state === 'failed' && { failureClass: error.failureClass }) };
  }
}

async function checkSignIn({ api, credentials }: CheckParts, context: ConnectorContext): Promise<string> {
  await api.describeAccount(context);
  return credentials.username;
}

async function checkProject({ api, project }: CheckParts, context: ConnectorContext): Promise<string> {
  const projects = await api.describeAccount(context);
  const name = projects.get(project.projectId);
  if (name !== undefined) return name;
  throw new FixSettings({
    code: 'mixpanel.project_not_reached',
    message: `The service account has no access to project ${project.projectId}.`,
    action: 'Correct the project ID, or add the service account to the project in Mixpanel',
    failureClass: 'permission',
  });
}

async function checkResidency({ api, project, now }: CheckParts, context: ConnectorContext): Promise<string> {
  const witness = await verifyRegion(api, context, now());
  return witness === 'query' ? project.residency : `${project.residency}, verified with the raw export`;
}

async function checkImport({ api }: CheckParts, context: ConnectorContext): Promise<null> {
  await api.importEvents(context, await packEvents(['{}']));
  return null;
}

async function checkExport({ api, now }: CheckParts, context: ConnectorContext): Promise<string | null> {
  await readOneLine(api, context, now());
  return api.hasQueryApi ? null : 'With the raw export only: the plan of this Mixpanel project does not include the Query API';
}

function notTaken(): FixSettings {
  return new FixSettings({
    code: 'mixpanel.test_not_taken',
    message: 'Mixpanel did not accept the test event.',
    action: 'Check project ID and data residency',
    failureClass: 'destination',
  });
}

function notShownYet(): NotVerifiedYet {
  return new NotVerifiedYet({
    code: 'mixpanel.test_not_shown_yet',
    message: 'Mixpanel accepted the test event but does not return it yet.',
    action: 'Look for the event "Tributary Test" in Mixpanel in a few minutes. If it is missing, check the data residency',
    days: [],
    shown: [],
  });
}
