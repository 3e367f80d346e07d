import type { Page, ReadContext, RemoteJob, Slice } from '../kit/contract.js';
import { CorruptAnswer, RetryLater, SplitSlice } from '../kit/errors.js';
import { PageBuilder } from '../kit/page-builder.js';
import type { GraphApi, Parameters } from './api.js';
import { corrupt } from './errors.js';
import { accountParameters, insightsPath, campaignListParameters, insightsParameters, isLarge, PAGE_LIMIT } from './insights.js';
import { readPages } from './paging.js';
import { isReportRunKnown, startReportRun, waitForReportRun } from './report-run.js';
import { readText, toRows, type InsightsRow } from './rows.js';
import { checkEqual, checkWithin, InsightsSums, problemsOf } from './slice-proof.js';
import { reports, type Report } from './streams.js';

/** Meta allows itself an hour for a report run. */
const REPORT_PATIENCE_MS = 60 * 60_000;

export interface ReadSettings {
  windows: string[];
  reportPatienceMs: number | undefined;
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
  return error instanceof RetryLater && ['meta_ads.report_failed', 'meta_ads.report_never_finished'].includes(error.code);
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
    const breakdowns = isByAction ? [] : stream.breakdowns;
    const isByDay = level !== 'account';
    const account = await this.readAccount(isByDay, []);
    if (breakdowns.length === 0) checkEqual(this.sums, account, isByDay);
    else {
      const parts = await this.readAccount(true, breakdowns);
      checkWithin(parts, account);
      checkEqual(this.sums, parts, true);
    }
    const { costMicros, clicks, impressions } = this.sums.total;
    const totals = isByAction ? {} : { providerTotals: { costMicros, clicks, impressions } };
    return [...this.builder.takeAll(), { lines: Buffer.alloc(0), rowCount: 0, days: [], providerRows: this.rowCount, ...totals }];
  }

  private readAtOnce(): AsyncGenerator<Page> {
    return this.readRows(insightsPath(this.slice), this.parameters());
  }

  /** `job`: where the run's id is kept, so that a crash goes on waiting for it; null: it is asked for again then. */
  private async *readRun(job: RemoteJob | null, campaignIds?: string[]): AsyncGenerator<Page> {
    const { api, context } = this;
    let id = job?.id ?? null;
    if (id === null || !(await isReportRunKnown(api, context, id))) {
      id = await startReportRun(api, context, insightsPath(this.slice), this.parameters(campaignIds));
      await job?.save(id);
    }
    await waitForReportRun(api, context, id, this.settings.reportPatienceMs ?? REPORT_PATIENCE_MS);
    yield* this.readRows(`${id}/insights`, { limit: PAGE_LIMIT });
  }

  /** Of one day only as many campaigns at a time as Meta takes. */
  private async *readHalves(campaignIds: string[]): AsyncGenerator<Page> {
    if (campaignIds.length < 2) throw tooLarge(this.slice);
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
      return false;
    }
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

  private async readAccount(isByDay: boolean, breakdowns: string[]): Promise<InsightsSums> {
    const sums = new InsightsSums();
    const parameters = accountParameters(this.slice, { isByDay, breakdowns });
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
