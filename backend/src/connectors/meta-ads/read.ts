import type { Day, Page, ReadContext, RemoteJob, Slice } from '../kit/contract.js';
import { addDays } from '../kit/days.js';
import { CorruptAnswer, FixSettings, RetryLater, SplitSlice, type ConnectorError } from '../kit/errors.js';
import { PageBuilder } from '../kit/page-builder.js';
import type { GraphApi, Parameters } from './api.js';
import { corrupt } from './errors.js';
import { accountParameters, insightsPath, campaignListParameters, insightsParameters, isLarge } from './insights.js';
import { readPages } from './paging.js';
import { isReportRunKnown, startReportRun, waitForReportRun } from './report-run.js';
import { readText, toRows, type InsightsRow } from './rows.js';
import { checkEqual, checkNotCut, checkNotMissing, checkShareNotCut, InsightsSums, problemsOf } from './slice-proof.js';
import { reports, type Report } from './streams.js';
import { pause } from './usage.js';

/** Meta allows itself an hour for a report run. */
const REPORT_PATIENCE_MS = 60 * 60_000;
const FAILED_RUN_PAUSE_MS = 5_000;
const YOUNG_RUN_MS = 60_000;
/** Of one reading: after so many failed runs the slice is made smaller. */
const MOST_FAILED_RUNS = 2;

export interface ReadSettings {
  windows: string[];
  reportPatienceMs: number | undefined;
  failedRunPauseMs: number | undefined;
  youngRunMs: number | undefined;
}

/** Pages as they arrive. The last one says how many rows there are, and comes only when they were proved. */
export async function* readSlice(
  api: GraphApi,
  context: ReadContext,
  slice: Slice,
  settings: ReadSettings,
): AsyncGenerator<Page> {
  const report = reports.find(({ stream }) => stream.name === slice.stream.name);
  if (!report) throw new Error(`meta-ads has no stream "${slice.stream.name}"`);
  const reading = new SliceReading(api, context, slice, report, settings);
  try {
    yield* reading.pages();
    yield* await reading.prove();
  } catch (error) {
    // Asked for again, the run would give the same wrong or missing answer. Who was stopped got no answer: the reason is another's.
    if (!context.signal.aborted && isAnswerOfRun(error)) await context.job.save(null);
    throw error;
  }
}

function isAnswerOfRun(error: unknown): boolean {
  if (error instanceof CorruptAnswer || error instanceof SplitSlice) return true;
  return error instanceof RetryLater && error.code === 'meta_ads.report_never_finished';
}

class SliceReading {
  private readonly api: GraphApi;
  private readonly context: ReadContext;
  private readonly slice: Slice;
  private readonly report: Report;
  private readonly settings: ReadSettings;
  private readonly builder: PageBuilder;
  private readonly sums = new InsightsSums();
  private rowCount = 0;
  /** Why Meta last gave no report. */
  private refusal: SplitSlice | null = null;

  constructor(api: GraphApi, context: ReadContext, slice: Slice, report: Report, settings: ReadSettings) {
    this.api = api;
    this.context = context;
    this.slice = slice;
    this.report = report;
    this.settings = settings;
    this.builder = new PageBuilder(slice, {}, problemsOf(slice.from, slice.to));
  }

  /** At once where that may go well; else as a report run; one day that is too large even for that, by campaigns. */
  async *pages(): AsyncGenerator<Page> {
    const isAtOnce = this.context.job.id === null && !isLarge(this.report, this.slice);
    if (isAtOnce && (yield* this.unlessTooLarge(this.readAtOnce()))) return;
    if (this.slice.from !== this.slice.to) return yield* this.readRun(this.context.job);
    if (yield* this.unlessTooLarge(this.readRun(this.context.job))) return;
    await this.context.job.save(null);
    yield* this.readHalves(await this.listCampaigns());
  }

  /** Sums of the rows of Meta against what it tells of the account as a whole. */
  async prove(): Promise<Page[]> {
    const { stream, isByAction, level } = this.report;
    const isShare = stream.verification === 'share_of_total';
    const isByDay = level !== 'account' && !isShare;
    const settledTo = this.settledTo();
    // One row covers the whole range, so it is requested for the settled days only, if there are any.
    const isPart = level === 'account' && this.rowCount > 0 && settledTo >= this.slice.from;
    const account = await this.readAccount(isPart ? { ...this.slice, to: settledTo } : this.slice, isByDay);
    checkNotMissing(this.sums, account);
    const isComparable = isByDay || isPart || settledTo >= this.slice.to;
    if (!isShare && isComparable)
      checkEqual(this.sums, account, isByDay, {
        includes: (day) => day <= settledTo,
        name: `from ${this.slice.from} to ${settledTo}`,
      });
    if (isShare) checkShareNotCut(this.sums, account);
    else if (isByDay) checkNotCut(this.sums, account, this.slice.to);
    const { costMicros, clicks, impressions } = isShare ? account.total : this.sums.total;
    const totals = { costMicros, clicks, impressions };
    const proof = isShare ? { shareOf: totals } : isByAction ? {} : { providerTotals: totals };
    return [...this.builder.takeAll(), { ...noRows, providerRows: this.rowCount, ...proof }];
  }

  /** The last day of the slice that has settled; before its first, none has. */
  private settledTo(): Day {
    const { provisionalFrom } = this.context;
    return provisionalFrom === null || provisionalFrom > this.slice.to ? this.slice.to : addDays(provisionalFrom, -1);
  }

  private readAtOnce(): AsyncGenerator<Page> {
    return this.readRows(insightsPath(this.slice), this.parameters());
  }

  /** `job`: where the run's id is kept, so that a crash goes on waiting for it; null: it is asked for again then. */
  private async *readRun(job: RemoteJob | null, campaignIds?: string[]): AsyncGenerator<Page> {
    yield* this.readRows(`${await this.completeRun(job, campaignIds)}/insights`, {});
  }

  /**
   * A run that ended without a report is spent, whatever its code: its id is forgotten, and another run is started (Meta, "Insights
   * API error codes"; airbyte `async_job`).
   */
  private async completeRun(job: RemoteJob | null, campaignIds?: string[]): Promise<string> {
    const { api, context, settings } = this;
    const knownMs = settings.youngRunMs ?? YOUNG_RUN_MS;
    const completeMs = settings.reportPatienceMs ?? REPORT_PATIENCE_MS;
    for (let failures = 1; ; failures++) {
      const held = job?.id ?? null;
      const isKnown = held !== null && (await isReportRunKnown(api, context, held));
      const id = isKnown ? held : await this.startRun(job, campaignIds);
      const waitedMs = isKnown && job?.since ? Math.max(0, Date.now() - job.since.getTime()) : 0;
      const patience = { completeMs, knownMs, waitedMs, maxWaitMs: job?.maxWaitMs ?? Infinity };
      const reason = await waitForReportRun(api, context, id, patience);
      if (reason === null) return id;
      await job?.save(null);
      if (!(reason instanceof RetryLater || reason instanceof FixSettings)) throw reason;
      if (failures === MOST_FAILED_RUNS) throw reason instanceof FixSettings ? reason : failedAgain(reason);
      await pause(context, settings.failedRunPauseMs ?? FAILED_RUN_PAUSE_MS);
    }
  }

  private async startRun(job: RemoteJob | null, campaignIds?: string[]): Promise<string> {
    const id = await startReportRun(this.api, this.context, insightsPath(this.slice), this.parameters(campaignIds));
    await job?.save(id);
    return id;
  }

  /** Of one day only as many campaigns at a time as Meta takes. */
  private async *readHalves(campaignIds: string[]): AsyncGenerator<Page> {
    if (campaignIds.length < 2 || this.report.level === 'account') throw this.notReadable();
    const middle = Math.ceil(campaignIds.length / 2);
    for (const half of [campaignIds.slice(0, middle), campaignIds.slice(middle)]) {
      if (!(yield* this.unlessTooLarge(this.readRun(null, half)))) yield* this.readHalves(half);
    }
  }

  /** False when Meta found it too large before it gave any row. */
  private async *unlessTooLarge(pages: AsyncGenerator<Page>): AsyncGenerator<Page, boolean> {
    const rowsBefore = this.rowCount;
    try {
      yield* pages;
      return true;
    } catch (error) {
      if (!(error instanceof SplitSlice) || this.rowCount !== rowsBefore) throw error;
      this.refusal = error;
      return false;
    }
  }

  /** What cannot be made smaller: a failed report is tried again later, a report that is too large is not. */
  private notReadable(): ConnectorError {
    const { refusal } = this;
    if (refusal?.code !== REPORT_FAILED) return tooLarge(this.slice);
    return new RetryLater({
      code: REPORT_FAILED,
      message: refusal.message,
      action: 'None: the report is requested again automatically',
    });
  }

  private async *readRows(path: string, parameters: Parameters): AsyncGenerator<Page> {
    for await (const data of readPages(this.api, this.context, path, parameters)) {
      for (const raw of data) this.add(toInsightsRow(raw));
      yield* this.builder.take();
    }
  }

  private add(row: InsightsRow): void {
    this.sums.add(row);
    for (const one of toRows(this.report, row, this.slice.account, this.settings.windows)) {
      this.builder.addRow(one);
      this.rowCount++;
    }
  }

  private parameters(campaignIds?: string[]): Parameters {
    return insightsParameters(this.report, this.slice, this.settings.windows, campaignIds);
  }

  private async readAccount(range: Pick<Slice, 'from' | 'to'>, isByDay: boolean): Promise<InsightsSums> {
    const sums = new InsightsSums();
    const parameters = accountParameters(range, { isByDay });
    for await (const data of readPages(this.api, this.context, insightsPath(this.slice), parameters))
      for (const raw of data) sums.add(toInsightsRow(raw));
    return sums;
  }

  private async listCampaigns(): Promise<string[]> {
    const ids: string[] = [];
    for await (const data of readPages(this.api, this.context, insightsPath(this.slice), campaignListParameters(this.slice)))
      ids.push(...data.map((raw) => readText(toInsightsRow(raw), 'campaign_id')));
    return ids;
  }
}

const noRows: Page = { lines: Buffer.alloc(0), rowCount: 0, days: [] };

const REPORT_FAILED = 'meta_ads.report_failed';

function failedAgain(reason: RetryLater): SplitSlice {
  return new SplitSlice(
    {
      code: REPORT_FAILED,
      message: `Meta failed ${MOST_FAILED_RUNS} times to make a report. The last reason: ${reason.message}`,
      action: 'None: it is read in smaller parts',
    },
    { cause: reason },
  );
}

function toInsightsRow(raw: unknown): InsightsRow {
  if (typeof raw === 'object' && raw !== null) return raw as InsightsRow;
  throw corrupt('unexpected_value', 'Meta sent something else than a row.');
}

function tooLarge({ account, from }: Slice): SplitSlice {
  return new SplitSlice({
    code: 'meta_ads.report_too_large',
    message: `Meta finds a single campaign of ${account.name} on ${from} too large for a report.`,
    action: 'Leave the report out of the source, or choose a coarser one',
  });
}
