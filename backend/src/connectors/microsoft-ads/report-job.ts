import type { ReadContext, Slice } from '../kit/contract.js';
import { ConnectorError, ReportPending, RetryLater } from '../kit/errors.js';
import type { MicrosoftAdsApi, ReportStatus } from './api.js';
import { nothingToDo } from './errors.js';
import { pause } from './pause.js';
import type { ReportSlots } from './report-slots.js';
import { paceOf, type MicrosoftAdsSettings, type Pace } from './settings.js';

/** How often a report is asked for in one go: once more after Microsoft has forgotten it. */
const SUBMISSIONS = 2;
/** How often Submit is tried while other reports are being made. */
const CROWDED_TRIES = 5;

/** What a report became: its file's address, or nothing at all, which is how Microsoft says that there are no rows. */
export interface MadeReport {
  url: string | null;
}

export interface ReportJobParts {
  settings: MicrosoftAdsSettings;
  api: MicrosoftAdsApi;
  slots: ReportSlots;
  slice: Slice;
  /** As Submit takes it. */
  request: unknown;
}

/**
 * Has one report made: asks for it, or takes up the one an earlier go has asked for, and looks at it until it is done. Its
 * id is saved before it is waited for, so that nothing is asked for twice.
 */
export class ReportJob {
  private readonly settings: MicrosoftAdsSettings;
  private readonly api: MicrosoftAdsApi;
  private readonly slots: ReportSlots;
  private readonly slice: Slice;
  private readonly request: unknown;
  private readonly pace: Pace;
  private submissions = 0;

  constructor({ settings, api, slots, slice, request }: ReportJobParts) {
    this.settings = settings;
    this.api = api;
    this.slots = slots;
    this.slice = slice;
    this.request = request;
    this.pace = paceOf(settings);
  }

  /** Each call gives a fresh address, good for five minutes. */
  async finish(context: ReadContext): Promise<MadeReport> {
    const giveBack = await this.slots.take(context.signal);
    try {
      return await this.waitUntilMade(context);
    } finally {
      giveBack();
    }
  }

  private async waitUntilMade(context: ReadContext): Promise<MadeReport> {
    const startedAt = this.settings.now().getTime();
    const patientUntil = (context.job.since?.getTime() ?? startedAt) + this.pace.reportPatienceMs;
    const { maxWaitMs = Infinity } = context.job;
    let pollMs = this.pace.firstPollMs;
    for (;;) {
      const reportId = context.job.id ?? (await this.submit(context));
      const status = await this.look(context, reportId);
      if (status?.Status === 'Success') return { url: status.ReportDownloadUrl ?? null };
      if (status?.Status === 'Error') throw await this.failed(context, reportId);
      const nextAt = this.settings.now().getTime() + pollMs;
      if (nextAt > patientUntil) {
        // Kept, and waited for as long once more.
        await context.job.save(reportId);
        throw unfinished(this.pace.reportPatienceMs);
      }
      if (nextAt > startedAt + maxWaitMs) throw stillPreparing();
      await pause(pollMs, context.signal);
      pollMs = Math.min(pollMs * 2, this.pace.longestPollMs);
    }
  }

  /** Null when Microsoft has forgotten the report, which it does after a day: it is to be asked for again. */
  private async look(context: ReadContext, reportId: string): Promise<ReportStatus | null> {
    try {
      return await this.api.pollReport(context, this.slice.account, reportId);
    } catch (error) {
      if (!(error instanceof ConnectorError) || !forgotten.has(error.code)) throw error;
      await context.job.save(null);
      if (this.submissions >= SUBMISSIONS) throw error;
      return null;
    }
  }

  private async submit(context: ReadContext): Promise<string> {
    this.submissions += 1;
    for (let attempt = 1; ; attempt++) {
      try {
        const reportId = await this.api.submitReport(context, this.slice.account, this.request);
        await context.job.save(reportId);
        await pause(this.pace.firstPollMs, context.signal);
        return reportId;
      } catch (error) {
        const isCrowded = error instanceof RetryLater && error.code === 'microsoft_ads.concurrent_request_over_limit';
        if (!isCrowded || attempt >= CROWDED_TRIES) throw error;
        await this.slots.waitForAnother(context.signal, this.pace.concurrencyWaitMs);
      }
    }
  }

  /** Such a report stays failed: the next go asks for another. */
  private async failed(context: ReadContext, reportId: string): Promise<RetryLater> {
    await context.job.save(null);
    return new RetryLater({
      code: 'microsoft_ads.report_failed',
      message: `Microsoft Advertising could not make the report of ${this.slice.stream.title.toLowerCase()} (report ${reportId}).`,
      action: nothingToDo,
    });
  }
}

const forgotten = new Set(['microsoft_ads.invalid_report_id', 'microsoft_ads.report_not_found']);

const stillPreparing = (): ReportPending =>
  new ReportPending({
    code: 'microsoft_ads.report_pending',
    message: 'Microsoft Advertising is still preparing a report.',
    action: nothingToDo,
  });

function unfinished(patienceMs: number): RetryLater {
  return new RetryLater({
    code: 'microsoft_ads.report_unfinished',
    message: `Microsoft Advertising has been making a report for more than ${Math.max(1, Math.round(patienceMs / 60_000))} minutes. It is looked for again later.`,
    action: nothingToDo,
  });
}
