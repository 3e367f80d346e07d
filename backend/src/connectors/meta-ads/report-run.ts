import { z } from 'zod';
import type { ConnectorContext } from '../kit/contract.js';
import { ReportPending, RetryLater, SkipAccount, type ConnectorError } from '../kit/errors.js';
import type { GraphApi, Parameters } from './api.js';
import { corrupt, toConnectorError } from './errors.js';
import { pause } from '../kit/meta-usage.js';
import { plural } from '../kit/plural.js';

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_WHILE_UNKNOWN_MS = 2_000;

/** Ids are text; in some of Meta's examples they are numbers. */
const startedSchema = z
  .union([z.object({ report_run_id: z.union([z.string(), z.number()]) }).transform((one) => one.report_run_id), z.number()])
  .transform(String);

const statusSchema = z.object({
  async_status: z.string(),
  async_percent_completion: z.number().default(0),
  error_code: z.number().optional(),
  error_subcode: z.number().optional(),
});

/** Starts an asynchronous report. Returns its id. */
export async function startReportRun(
  api: GraphApi,
  context: ConnectorContext,
  path: string,
  parameters: Parameters,
): Promise<string> {
  const started = startedSchema.safeParse(await api.post(context, path, parameters));
  if (!started.success || !/^\d+$/.test(started.data))
    throw corrupt('report_run_missing', 'Meta returned no id for a started report.');
  return started.data;
}

/** Whether the run still exists at Meta. Ids expire after 30 days, and runs of other users are not found. */
export async function isReportRunKnown(api: GraphApi, context: ConnectorContext, id: string): Promise<boolean> {
  return (await pollReportRun(api, context, id)) !== UNKNOWN_RUN;
}

const UNKNOWN_RUN = Symbol('unknown run');

/** A new run may not be found at first (100/33; tap-facebook `__init__.py` retries it too). */
async function pollReportRun(api: GraphApi, context: ConnectorContext, id: string): Promise<unknown> {
  try {
    return await api.get(context, id);
  } catch (error) {
    if (error instanceof SkipAccount && error.code === 'meta_ads.account_unknown') return UNKNOWN_RUN;
    throw error;
  }
}

/** Time limits for a report run. */
export interface RunPatience {
  /** Until the run is complete. */
  completeMs: number;
  /** Until Meta finds the run. */
  knownMs: number;
  /** Time that earlier attempts waited for it. */
  waitedMs: number;
  /** After this time the attempt ends with `ReportPending`. */
  maxWaitMs: number;
}

/**
 * Null when the run is complete: its status is completed and it is at 100 percent, because either can come first. Otherwise the
 * reason why it ended without a report.
 */
export async function waitForReportRun(
  api: GraphApi,
  context: ConnectorContext,
  id: string,
  { completeMs: patienceMs, knownMs, waitedMs, maxWaitMs }: RunPatience,
): Promise<ConnectorError | null> {
  const startedAt = performance.now();
  const deadline = startedAt + patienceMs - waitedMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
    const answer = await pollReportRun(api, context, id);
    if (answer === UNKNOWN_RUN) {
      if (performance.now() - startedAt > knownMs) return unknownRun();
      await pause(context, Math.min(pauseMs, LONGEST_PAUSE_WHILE_UNKNOWN_MS));
      continue;
    }
    const status = statusSchema.safeParse(answer);
    if (!status.success) throw corrupt('unexpected_report_status', 'Meta returned no report status.');
    const { async_status: state, async_percent_completion: percent } = status.data;
    if (state === 'Job Completed' && percent === 100) return null;
    if (state === 'Job Failed' || state === 'Job Skipped') return reportFailed(status.data);
    if (performance.now() + pauseMs > deadline) throw neverFinished(patienceMs, percent);
    if (performance.now() + pauseMs > startedAt + maxWaitMs) throw stillPreparing(percent);
    await pause(context, pauseMs);
  }
}

/** `Job Skipped` has no reason. */
function reportFailed({ error_code: code = -2, error_subcode: subcode }: z.infer<typeof statusSchema>): ConnectorError {
  return toConnectorError({
    status: 200,
    code,
    subcode: subcode ?? (code === -2 ? 2_490_547 : null),
    text: '',
    isTransient: false,
    retryAfterSeconds: null,
    requestId: null,
  });
}

function unknownRun(): RetryLater {
  return new RetryLater({
    code: 'meta_ads.report_unknown',
    message: 'Meta did not find a requested report.',
    action: 'No action needed: another report is requested automatically',
  });
}

const stillPreparing = (percent: number): ReportPending =>
  new ReportPending({
    code: 'meta_ads.report_pending',
    message: `Meta is still preparing a report (${percent} %).`,
    action: 'No action needed: the run continues when the report is ready',
  });

function neverFinished(patienceMs: number, percent: number): RetryLater {
  const waited = plural(Math.max(1, Math.round(patienceMs / 60_000)), 'minute');
  return new RetryLater({
    code: 'meta_ads.report_never_finished',
    message: `Meta did not finish a report within ${waited} (progress: ${percent} %). Another one is started.`,
    action: 'No action needed: Tributary retries automatically',
  });
}
