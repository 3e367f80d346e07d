import { z } from 'zod';
import type { ConnectorContext } from '../kit/contract.js';
import { RetryLater, SkipAccount } from '../kit/errors.js';
import type { GraphApi, Parameters } from './api.js';
import { corrupt, toConnectorError } from './errors.js';
import { pause } from './usage.js';

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 30_000;

/** Ids come as text, and in some of Meta's examples as a number. */
const startedSchema = z
  .union([z.object({ report_run_id: z.union([z.string(), z.number()]) }).transform((one) => one.report_run_id), z.number()])
  .transform(String);

const statusSchema = z.object({
  async_status: z.string(),
  async_percent_completion: z.number().default(0),
  error_code: z.number().optional(),
  error_subcode: z.number().optional(),
});

/** Starts a report that Meta makes on its own time; its id. */
export async function startReportRun(
  api: GraphApi,
  context: ConnectorContext,
  path: string,
  parameters: Parameters,
): Promise<string> {
  const started = startedSchema.safeParse(await api.post(context, path, parameters));
  if (!started.success || !/^\d+$/.test(started.data))
    throw corrupt('report_run_missing', 'Meta sent no id for a report that was started.');
  return started.data;
}

/** Whether Meta still knows the run: ids end after 30 days, and a run of another user is unknown. */
export async function isReportRunKnown(api: GraphApi, context: ConnectorContext, id: string): Promise<boolean> {
  try {
    await api.get(context, id);
    return true;
  } catch (error) {
    if (error instanceof SkipAccount && error.code === 'meta_ads.account_unknown') return false;
    throw error;
  }
}

/** Returns when the run is complete. Complete is only what says so and is at 100 per cent: either comes before the other. */
export async function waitForReportRun(api: GraphApi, context: ConnectorContext, id: string, patienceMs: number): Promise<void> {
  const deadline = performance.now() + patienceMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
    const status = statusSchema.safeParse(await api.get(context, id));
    if (!status.success) throw corrupt('unexpected_report_status', 'Meta did not say how far a report is.');
    const { async_status: state, async_percent_completion: percent } = status.data;
    if (state === 'Job Completed' && percent === 100) return;
    if (state === 'Job Failed' || state === 'Job Skipped') throw reportFailed(status.data);
    if (performance.now() + pauseMs > deadline) throw neverFinished(patienceMs, percent);
    await pause(context, pauseMs);
  }
}

/** A run that fails without saying why is worth another. */
function reportFailed({ error_code: code = -2, error_subcode: subcode }: z.infer<typeof statusSchema>) {
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

function neverFinished(patienceMs: number, percent: number): RetryLater {
  return new RetryLater({
    code: 'meta_ads.report_never_finished',
    message: `Meta did not finish a report within ${Math.max(1, Math.round(patienceMs / 60_000))} minutes (it stood at ${percent} %). Another one is started.`,
    action: 'Nothing to do: it is tried again by itself',
  });
}
