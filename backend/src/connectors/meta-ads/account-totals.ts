import type { AccountTotals, AdAccount, ConnectorContext, Day } from '../kit/contract.js';
import type { GraphApi } from './api.js';
import { corrupt } from './errors.js';
import { accountParameters, insightsPath } from './insights.js';
import { readPages } from './paging.js';
import type { InsightsRow } from './rows.js';
import { reports } from './streams.js';
import { InsightsSums } from './totals-check.js';

/** Reports without breakdowns add up to the account, because they are requested for objects of every status. */
const WHOLE_STREAMS = reports
  .filter(({ stream, isByAction }) => stream.verification === 'control_totals' && !isByAction)
  .map(({ stream }) => stream.name);

/** Meta's totals of the account itself: one request for up to 500 days. */
export async function readAccountTotals(
  api: GraphApi,
  context: ConnectorContext,
  account: AdAccount,
  range: { from: Day; to: Day },
): Promise<AccountTotals> {
  const sums = new InsightsSums();
  for await (const data of readPages(api, context, insightsPath({ account }), accountParameters(range, { isByDay: true })))
    for (const raw of data) sums.add(toRow(raw));
  return {
    days: sums.days.map((day) => ({ ...sums.day(day), day })),
    rowRoundingMicros: sums.roundingMicros(1, sums),
    wholeStreams: WHOLE_STREAMS,
  };
}

function toRow(raw: unknown): InsightsRow {
  if (typeof raw === 'object' && raw !== null) return raw as InsightsRow;
  throw corrupt('unexpected_value', 'Meta sent a value that is not a row.');
}
