import { differingColumns, hashContent } from '../../connectors/kit/totals/content.js';
import { ContentSums } from '../../connectors/kit/totals/content-sums.js';
import type {
  Content,
  Day,
  DayTotals,
  Destination,
  MetricSums,
  Page,
  ReadContext,
  Slice,
  Source,
  Stream,
  WriteContext,
} from '../../connectors/kit/contract.js';
import { listDays } from '../../connectors/kit/days.js';
import { CorruptAnswer, NotVerifiedYet } from '../../connectors/kit/errors.js';
import { projectPages } from '../../connectors/kit/rows/excluded-columns.js';
import { conversionsOf } from '../../connectors/kit/totals/conversions.js';
import { hashPages } from '../../connectors/kit/rows/hashed-columns.js';
import { addSums, emptySums, equalSums } from '../../connectors/kit/totals/sums.js';
import { provisionalFrom } from './plan-slices.js';
import type { CoverageDay } from '../ledger/lease.js';
import type { ProgressReporter } from './run-progress.js';
import { type SliceMetrics, sliceMetrics } from './slice-metrics.js';
import { StepClock, type StepMs } from './step-clock.js';

/** External services that reading and writing one slice can use. */
export type SliceContext = Omit<ReadContext, 'provisionalFrom'> & Omit<WriteContext, 'hashed'>;

export interface SliceWork {
  source: Source;
  destination: Destination;
  slice: Slice;
  /** The slice's stream without the excluded columns. */
  written: Stream;
  /** Columns of it that are stored as hashes. */
  hashed: string[];
  /** Accepts a slice without rows although nothing confirms that it is empty. */
  acceptsEmpty: boolean;
  fence: { runId: string; leaseEpoch: bigint };
  lookbackDays: number;
  now: Date;
  progress: Pick<ProgressReporter, 'rowsRead' | 'rowsTaken' | 'rowsForgotten' | 'sliceLoaded'>;
}

export interface SliceResult {
  expected: DayTotals;
  found: DayTotals;
  /** Days whose sums at the destination differ from the source's, except days with rows that show late. */
  differingDays: Day[];
  /** Columns whose values at the destination differ from the sent values on any of these days. */
  differingColumns: string[];
  days: CoverageDay[];
  /** Rows that the destination accepted but does not show yet. Their days are not verified. */
  late: NotVerifiedYet | null;
  bytes: number;
  /** Cost of the provider's total if the stream lists only a part of it; otherwise null. */
  totalCostMicros: bigint | null;
  stepMs: StepMs;
  metrics: SliceMetrics;
}

/**
 * Loads one slice and verifies it: sums the rows of the source and of the destination by day and compares them.
 * Does not handle runs, retries or the database.
 */
export async function runSlice(context: SliceContext, work: SliceWork): Promise<SliceResult> {
  const { destination, slice, written, fence, progress } = work;
  const writtenSlice = { ...slice, stream: written };
  const writing = { ...context, hashed: work.hashed };
  const tally = new Tally();
  const clock = new StepClock();
  const content = new ContentSums(written, slice, { hashesText: destination.comparesText ?? false });
  let bytes: number;
  try {
    const loaded = await destination.write(
      writing,
      writtenSlice,
      summed(hashPages(projectPages(tallied(context, work, tally, clock), slice, written), written, work.hashed), content),
      fence,
    );
    bytes = loaded.bytes;
    progress.sliceLoaded(loaded.rowsWritten - tally.taken);
  } catch (error) {
    progress.rowsForgotten(tally.rows, tally.taken);
    throw error;
  }
  clock.enter('verify');
  const { shown, late } = await readBack(destination, writing, writtenSlice);
  const sent: Sent = { byDay: tally.byDay, content: content.take() };
  const compared = compare(work, sent, shown, late);
  return {
    ...compared,
    metrics: sliceMetrics(written, { ...compared, sent: sent.content, shown }),
    bytes,
    totalCostMicros: tally.totalCostMicros,
    stepMs: clock.take(),
  };
}

async function readBack(
  destination: Destination,
  context: WriteContext,
  slice: Slice,
): Promise<{ shown: DayTotals[]; late: NotVerifiedYet | null }> {
  try {
    return { shown: await destination.totals(context, slice), late: null };
  } catch (error) {
    if (!(error instanceof NotVerifiedYet)) throw error;
    return { shown: error.shown, late: error };
  }
}

class Tally {
  rows = 0;
  /** Rows that the destination has accepted. */
  taken = 0;
  totalCostMicros: bigint | null = null;
  readonly byDay = new Map<Day, MetricSums>();

  add(slice: Slice, page: Page): void {
    this.rows += page.rowCount;
    for (const sums of page.days) {
      if (sums.day < slice.from || sums.day > slice.to) throw strayDay(slice, sums.day);
      this.byDay.set(sums.day, addSums(this.byDay.get(sums.day) ?? emptySums(), sums));
    }
  }
}

async function* tallied(context: SliceContext, work: SliceWork, tally: Tally, clock: StepClock): AsyncGenerator<Page> {
  clock.enter('extract');
  let isProvedEmpty = false;
  for await (const page of work.source.read({ ...context, provisionalFrom: changingFrom(work) }, work.slice)) {
    tally.add(work.slice, page);
    work.progress.rowsRead(page.rowCount);
    if (page.shareOf) tally.totalCostMicros = page.shareOf.costMicros;
    if (page.providerTotals) isProvedEmpty = equalSums(page.providerTotals, emptySums());
    if (page.providerRows !== undefined) isProvedEmpty = page.providerRows === 0;
    if (page.rowCount === 0) continue;
    clock.enter('stage');
    yield page;
    clock.enter('extract');
    // A request for the next page means that the destination has written this one.
    tally.taken += page.rowCount;
    work.progress.rowsTaken(page.rowCount);
  }
  if (tally.rows === 0 && !isProvedEmpty && !work.acceptsEmpty) throw unprovedEmpty(work.slice);
  clock.enter('load');
}

/** Sums the rows exactly as they are sent to the destination, after all changes. */
async function* summed(pages: AsyncIterable<Page>, content: ContentSums): AsyncGenerator<Page> {
  for await (const page of pages) {
    content.add(page.lines);
    yield page;
  }
}

interface Sent {
  byDay: Map<Day, MetricSums>;
  content: Map<Day, Content>;
}

type Compared = Omit<SliceResult, 'bytes' | 'totalCostMicros' | 'stepMs' | 'metrics'>;

function compare(work: SliceWork, sent: Sent, shown: DayTotals[], late: NotVerifiedYet | null): Compared {
  const { slice, written } = work;
  const provisional = changingFrom(work);
  const found = new Map(shown.map((day) => [day.day, day]));
  const result: Compared = {
    expected: totalsOf('', emptySums()),
    found: totalsOf('', emptySums()),
    differingDays: [],
    differingColumns: [],
    days: [],
    late,
  };
  for (const day of listDays(slice.from, slice.to)) {
    const expected = totalsOf(day, sent.byDay.get(day) ?? emptySums());
    const actual = found.get(day) ?? totalsOf(day, emptySums());
    const columns = differingColumns(written, sent.content.get(day), actual.content);
    const isEqual = expected.rows === actual.rows && equalSums(expected, actual) && columns.length === 0;
    const isLate = late?.days.includes(day) ?? false;
    if (!isEqual && !isLate) {
      result.differingDays.push(day);
      result.differingColumns.push(...columns.filter((name) => !result.differingColumns.includes(name)));
    }
    result.expected = totalsOf('', addSums(result.expected, expected));
    result.found = totalsOf('', addSums(result.found, actual));
    const proved = isEqual ? settledState(actual, day >= provisional) : 'failed';
    // Still loading: when the run ends, the day counts as missing and the next run reads it again.
    result.days.push({
      day,
      state: isLate ? 'loading' : proved,
      totals: actual,
      conversions: conversionsOf(written, sent.content.get(day)),
      contentHash: hashContent(written, actual),
    });
  }
  return result;
}

const changingFrom = ({ slice, lookbackDays, now }: SliceWork): Day => provisionalFrom(slice.account, lookbackDays, now);

function settledState(totals: DayTotals, isProvisional: boolean): CoverageDay['state'] {
  if (isProvisional) return 'provisional';
  return totals.rows === 0 ? 'empty_confirmed' : 'final';
}

const totalsOf = (day: Day, { rows, costMicros, clicks, impressions }: MetricSums): DayTotals => ({
  day,
  rows,
  costMicros,
  clicks,
  impressions,
});

const strayDay = (slice: Slice, day: Day): CorruptAnswer =>
  new CorruptAnswer({
    code: 'sync.stray_day',
    message: `${slice.account.name} returned ${day}, although ${slice.from} to ${slice.to} was requested.`,
    action: 'Run again',
  });

/** The source returned no rows and no total that confirms it, so the slice cannot be verified. */
const unprovedEmpty = (slice: Slice): CorruptAnswer =>
  new CorruptAnswer({
    code: 'sync.unverified_empty',
    message: `${slice.account.name} returned no rows for ${slice.from} to ${slice.to}, and no total that confirms it.`,
    action: 'Run again',
  });
