import type { Day, Page, ReadContext, RemoteJob, Slice } from '../kit/contract.js';
import { addDays, dayInTimeZone } from '../kit/days.js';
import { CorruptAnswer, FixSettings, RetryLater, SplitSlice } from '../kit/errors.js';
import { HTTP_TIMEOUT } from '../kit/http.js';
import { PageBuilder } from '../kit/rows/page-builder.js';
import type { GraphApi, Parameters } from './api.js';
import { corrupt } from './errors.js';
import { accountParameters, insightsPath, campaignListParameters, insightsParameters, isLarge } from './insights.js';
import { readPages } from './paging.js';
import { areRowsLost, failedAgain, MAX_FAILED_RUNS, notReadable, resultsOf, unlessSingleDay } from './report-failures.js';
import { isReportRunKnown, startReportRun, waitForReportRun } from './report-run.js';
import { readText, toRows, type InsightsRow } from './rows.js';
import {
  checkNotMissing,
  checkShareNotCut,
  checkTotal,
  differingDays,
  differsOn,
  differsTwice,
  InsightsSums,
  isRepeated,
  isSeparable,
  problemsOf,
  type Reading,
} from './totals-check.js';
import { reports, type Report } from './streams.js';
import { pause } from '../kit/meta-usage.js';

/** Meta's own limit for a report run is an hour. */
const REPORT_PATIENCE_MS = 60 * 60_000;
const FAILED_RUN_PAUSE_MS = 5_000;
const YOUNG_RUN_MS = 60_000;

export interface ReadSettings {
  windows: string[];
  reportPatienceMs: number | undefined;
  failedRunPauseMs: number | undefined;
  youngRunMs: number | undefined;
  now(): Date;
}

/** Yields pages as they arrive. The last one contains the row count and is yielded only after the rows were verified. */
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
    // Forgets the run, because it would return the same wrong or missing answer again. An aborted read has another cause and
    // keeps it.
    if (!context.signal.aborted && isAnswerOfRun(error)) await context.job.save(null);
    throw unlessSingleDay(error, slice);
  }
}

function isAnswerOfRun(error: unknown): boolean {
  if (error instanceof CorruptAnswer || error instanceof SplitSlice) return true;
  return areRowsLost(error) || (error instanceof RetryLater && error.code === 'meta_ads.report_never_finished');
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
  /** Why Meta rejected the last report. */
  private refusal: SplitSlice | null = null;

  constructor(api: GraphApi, context: ReadContext, slice: Slice, report: Report, settings: ReadSettings) {
    this.api = api;
    this.context = context;
    this.slice = slice;
    this.report = report;
    this.settings = settings;
    this.builder = new PageBuilder(slice, {}, problemsOf(slice.from, slice.to));
  }

  /**
   * Reads synchronously if possible, otherwise as a report run. A single day that is too large even for that is read by
   * campaigns.
   */
  async *pages(): AsyncGenerator<Page> {
    const isAtOnce = this.context.job.id === null && !isLarge(this.report, this.slice);
    if (isAtOnce && (yield* this.unlessTooLarge(this.readAtOnce(), isTooMuchAtOnce))) return;
    if (this.slice.from !== this.slice.to) return yield* this.readRun(this.context.job);
    if (yield* this.unlessTooLarge(this.readRun(this.context.job))) return;
    await this.context.job.save(null);
    yield* this.readHalves(await this.listCampaigns());
  }

  /** Compares the sums of Meta's rows with the account's totals. */
  async prove(): Promise<Page[]> {
    const { stream, isByAction, level } = this.report;
    const isShare = stream.verification === 'share_of_total';
    const isByDay = level !== 'account' && !isShare;
    const settledTo = this.settledTo();
    // One row covers the whole range, so it is requested only for the settled days, if any.
    const isPart = level === 'account' && this.rowCount > 0 && settledTo >= this.slice.from;
    const account = await this.readAccount(isPart ? { ...this.slice, to: settledTo } : this.slice, isByDay);
    checkNotMissing(this.sums, account);
    if (isShare) checkShareNotCut(this.sums, account);
    else if (isByDay) await this.checkDays({ rows: this.sums, account }, settledTo);
    else if (isPart || settledTo >= this.slice.to)
      checkTotal(this.sums, account, {
        includes: (day) => day <= settledTo,
        name: `from ${this.slice.from} to ${settledTo}`,
      });
    const { costMicros, clicks, impressions } = isShare ? account.total : this.sums.total;
    const totals = { costMicros, clicks, impressions };
    const proof = isShare ? { shareOf: totals } : isByAction ? {} : { providerTotals: totals };
    return [...this.builder.takeAll(), { ...noRows, providerRows: this.rowCount, ...proof }];
  }

  /**
   * Reads the days again whose rows do not add up to the account's totals. The numbers of provisional days may have changed
   * meanwhile. On single days the levels of an account differ in every reading; the other days of the slice are loaded without
   * them.
   */
  private async checkDays(first: Reading, settledTo: Day): Promise<void> {
    const days = differingDays(first);
    const settled = days.filter((day) => day <= settledTo);
    if (settled[0] && !isSeparable(settled, this.slice)) throw differsOn(settled[0], first, { isSeparable: false });
    const [earliest, latest] = [days[0], days.at(-1)];
    if (!earliest || !latest) return;
    const second = await this.readAgain(earliest, latest);
    const changed = settled.find((day) => !isRepeated(day, first, second));
    if (changed) throw differsOn(changed, first, { isSeparable: false });
    const today = dayInTimeZone(this.settings.now(), this.slice.account.timeZone);
    const differing = days.filter((day) => day <= settledTo || differsTwice(day, first, second, today));
    if (differing[0]) throw differsOn(differing[0], first, { isSeparable: isSeparable(differing, this.slice) });
  }

  private async readAgain(from: Day, to: Day): Promise<Reading> {
    const slice = { ...this.slice, from, to };
    const again = new SliceReading(this.api, { ...this.context, job: notResumed }, slice, this.report, this.settings);
    await consume(again.pages());
    return { rows: again.sums, account: await again.readAccount(slice, true) };
  }

  /** The last settled day of the slice; the day before its first day if none has settled. */
  private settledTo(): Day {
    const { provisionalFrom } = this.context;
    return provisionalFrom === null || provisionalFrom > this.slice.to ? this.slice.to : addDays(provisionalFrom, -1);
  }

  private readAtOnce(): AsyncGenerator<Page> {
    return this.readRows(insightsPath(this.slice), this.parameters());
  }

  /** `job`: stores the run's id, so that a crash resumes it; null: the report is requested again. */
  private async *readRun(job: RemoteJob | null, campaignIds?: string[]): AsyncGenerator<Page> {
    const id = await this.completeRun(job, campaignIds);
    yield* this.readRows(`${id}/insights`, {}, resultsOf(this.api, this.settings.failedRunPauseMs ?? FAILED_RUN_PAUSE_MS));
  }

  /**
   * A run that ended without a report cannot be reused. Its id is forgotten, and another run is started (Meta, "Insights API
   * error codes"; airbyte `async_job`).
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
      if (failures === MAX_FAILED_RUNS) throw reason instanceof FixSettings ? reason : failedAgain(reason);
      await pause(context, settings.failedRunPauseMs ?? FAILED_RUN_PAUSE_MS);
    }
  }

  private async startRun(job: RemoteJob | null, campaignIds?: string[]): Promise<string> {
    const id = await startReportRun(this.api, this.context, insightsPath(this.slice), this.parameters(campaignIds));
    await job?.save(id);
    return id;
  }

  /** Splits a single day by campaigns, until Meta accepts the number of campaigns. */
  private async *readHalves(campaignIds: string[]): AsyncGenerator<Page> {
    if (campaignIds.length < 2 || this.report.level === 'account') throw notReadable(this.slice, this.refusal);
    const middle = Math.ceil(campaignIds.length / 2);
    for (const half of [campaignIds.slice(0, middle), campaignIds.slice(middle)]) {
      if (!(yield* this.unlessTooLarge(this.readRun(null, half)))) yield* this.readHalves(half);
    }
  }

  /**
   * Returns false if Meta found the report too large before it returned any row.
   * @param isOtherSign whether another error of this read means the same
   */
  private async *unlessTooLarge(
    pages: AsyncGenerator<Page>,
    isOtherSign: (error: unknown) => boolean = () => false,
  ): AsyncGenerator<Page, boolean> {
    const rowsBefore = this.rowCount;
    try {
      yield* pages;
      return true;
    } catch (error) {
      if (this.rowCount !== rowsBefore) throw error;
      if (isOtherSign(error)) return false;
      if (!(error instanceof SplitSlice) || error.code === 'meta_ads.too_long_ago') throw error;
      this.refusal = error;
      return false;
    }
  }

  private async *readRows(path: string, parameters: Parameters, from: Pick<GraphApi, 'get'> = this.api): AsyncGenerator<Page> {
    for await (const data of readPages(from, this.context, path, parameters)) {
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

/** A report that Meta cannot build while a request waits often fails like this, and works as a report run (facebook-python-business-sdk #440). */
const isTooMuchAtOnce = (error: unknown): boolean =>
  error instanceof RetryLater && (error.code === 'meta_ads.internal_error' || error.code === HTTP_TIMEOUT);

/** The second reading of some days. After a crash the whole slice is read again. */
const notResumed: RemoteJob = { id: null, save: () => Promise.resolve() };

const noRows: Page = { lines: Buffer.alloc(0), rowCount: 0, days: [] };

async function consume(pages: AsyncGenerator<Page>): Promise<void> {
  while (!(await pages.next()).done);
}

function toInsightsRow(raw: unknown): InsightsRow {
  if (typeof raw === 'object' && raw !== null) return raw as InsightsRow;
  throw corrupt('unexpected_value', 'Meta sent a value that is not a row.');
}
