import type { ReadContext, Slice } from '../kit/contract.js';
import { ConnectorError, ReportPending, RetryLater } from '../kit/errors.js';
import type { MicrosoftAdsApi, ReportStatus } from './api.js';
import { NOTHING_TO_DO } from '../kit/error-table.js';
import { pause } from './pause.js';
import type { ReportSlots } from './report-slots.js';
import { paceOf, type MicrosoftAdsSettings, type Pace } from './settings.js';
import { plural } from '../kit/plural.js';

/** Number of times a report is requested per attempt: once more if Microsoft lost it. */
const SUBMISSIONS = 2;
/** Number of attempts to submit while the report limit is reached. */
const CROWDED_TRIES = 5;

/** A completed report: the address of its file, or none if the report has no rows. */
export interface MadeReport {
  url: string | null;
}

export interface ReportJobParts {
  settings: MicrosoftAdsSettings;
  api: MicrosoftAdsApi;
  slots: ReportSlots;
  slice: Slice;
  /** Body of the Submit call. */
  request: unknown;
}

/**
 * Requests a report, or resumes the one requested by an earlier attempt, and polls until it is complete. The id is saved before
 * waiting, so that no report is requested twice.
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

  /** Each call returns a fresh address, valid for five minutes. */
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
        // Keeps the id, so that the next attempt begins the wait again.
        await context.job.save(reportId);
        throw unfinished(this.pace.reportPatienceMs);
      }
      if (nextAt > startedAt + maxWaitMs) throw stillPreparing();
      await pause(pollMs, context.signal);
      pollMs = Math.min(pollMs * 2, this.pace.longestPollMs);
    }
  }

  /** Null if Microsoft lost the report, which expires after a day. It must be requested again. */
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

  /** Such a report stays failed. The next attempt requests another. */
  private async failed(context: ReadContext, reportId: string): Promise<RetryLater> {
    await context.job.save(null);
    return new RetryLater({
      code: 'microsoft_ads.report_failed',
      message: `Microsoft Advertising could not create the report ${this.slice.stream.title.toLowerCase()} (report ${reportId}).`,
      action: NOTHING_TO_DO,
    });
  }
}

const forgotten = new Set(['microsoft_ads.invalid_report_id', 'microsoft_ads.report_not_found']);

const stillPreparing = (): ReportPending =>
  new ReportPending({
    code: 'microsoft_ads.report_pending',
    message: 'Microsoft Advertising is still preparing a report.',
    action: NOTHING_TO_DO,
  });

function unfinished(patienceMs: number): RetryLater {
  const waited = plural(Math.max(1, Math.round(patienceMs / 60_000)), 'minute');
  return new RetryLater({
    code: 'microsoft_ads.report_unfinished',
    message: `Microsoft Advertising has not finished a report after ${waited}. It is polled again later.`,
    action: NOTHING_TO_DO,
  });
}
