import type { AccountTotals, ConnectorContext, Day, DayTotals, RemoteJob, Slice } from '../kit/contract.js';
import { addSums, emptySums } from '../kit/totals/sums.js';
import type { MicrosoftAdsApi } from './api.js';
import { readSlice } from './read.js';
import type { ReportSlots } from './report-slots.js';
import type { MicrosoftAdsSettings } from './settings.js';
import { reports } from './streams.js';

/** Reports that contain every cost of the account. Keywords contain only search campaigns, places and search terms not all traffic. */
const WHOLE_STREAMS = ['account_daily', 'campaign_daily', 'ad_performance_daily'];
/** Amounts have two decimals (half a cent for each row). */
const ROW_ROUNDING_MICROS = 5_000n;
/** A report that takes longer is requested again the next time. */
const MAX_WAIT_MS = 120_000;

/** Totals of the report of the account itself: one request, a few polls, one download. */
export async function readAccountTotals(
  settings: MicrosoftAdsSettings,
  api: MicrosoftAdsApi,
  slots: ReportSlots,
  context: ConnectorContext,
  part: Omit<Slice, 'stream'>,
): Promise<AccountTotals> {
  const report = reports.find(({ type }) => type === 'AccountPerformance');
  if (!report) throw new Error('microsoft-ads has no report of accounts');
  const byDay = new Map<Day, DayTotals>();
  const reading = { ...context, job: ownJob(), exchange: null, provisionalFrom: null };
  for await (const page of readSlice(settings, api, slots, reading, { ...part, stream: report.stream }))
    for (const sums of page.days) byDay.set(sums.day, { ...addSums(byDay.get(sums.day) ?? emptySums(), sums), day: sums.day });
  return { days: [...byDay.values()], rowRoundingMicros: ROW_ROUNDING_MICROS, wholeStreams: WHOLE_STREAMS };
}

/** The report is not resumed after a crash. */
function ownJob(): RemoteJob {
  let id: string | null = null;
  return {
    get id() {
      return id;
    },
    maxWaitMs: MAX_WAIT_MS,
    save: (next) => {
      id = next;
      return Promise.resolve();
    },
  };
}
