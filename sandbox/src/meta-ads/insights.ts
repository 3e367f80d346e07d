import { toDayNumber } from '../clock.ts';
import type { Fault, Occasion } from '../faults.ts';
import { sendJson, type Exchange } from '../router.ts';
import type { Account } from './accounts.ts';
import { optInBreakdown } from './breakdowns.ts';
import { timedOut, tooMuchForOneCall } from './errors.ts';
import { numberOf, strike, strikeData, strikePageSize, strikeTimeOut, type Damage } from './faults.ts';
import { readInsightsQuery, type InsightsQuery } from './insights-query.ts';
import { metric } from './numbers.ts';
import { pageOf, readLimit } from './paging.ts';
import { estimateRows, readRows, type ReadContext } from './report.ts';
import { rowJson } from './row-json.ts';
import type { MetaAdsState } from './state.ts';

/**
 * Row limits of a synchronous report, based on Meta's estimate. Above the first it times out, above the second it is rejected.
 */
const slowRows = 8_000;
const refusedRows = 20_000;

export interface InsightsCall extends Exchange {
  account: Account;
  parameters: URLSearchParams;
  token: string;
  occasion: Occasion;
  headers: Record<string, string>;
}

/** GET /act_…/insights: a synchronous report, if it is small enough. */
export function answerInsights(state: MetaAdsState, call: InsightsCall): void {
  const context = movedContextOf(state, call, call.account);
  const query = readInsightsQuery(call.parameters, context.today);
  strikeTimeOut(state.faults, call, call.occasion);
  const rows = estimateRows(query, call.account);
  if (rows > refusedRows || isTooBig(state, call, call.occasion, rows)) throw tooMuchForOneCall();
  if (rows > slowRows) throw timedOut();
  sendPage(state, call, query.breakdowns.includes(optInBreakdown) ? [] : rowsOf(query, context));
}

export function isTooBig(state: MetaAdsState, exchange: Exchange, occasion: Occasion, rows: number): boolean {
  const limits = state.faults.list().filter(({ provider, fault }) => provider === 'meta-ads' && fault === 'report_too_big');
  // For small requests the fault does not apply and is not used up.
  if (limits.every((fault) => rows <= numberOf(fault, 'maximumRows', 0))) return false;
  return strike(state.faults, exchange, 'report_too_big', occasion) !== undefined;
}

export function sendPage(state: MetaAdsState, call: InsightsCall, rows: Record<string, unknown>[]): void {
  strikePageSize(state.faults, call, call.occasion, readLimit(call.parameters.get('limit')));
  const damage = strikeData(state.faults, call, call.occasion);
  const isEmpty = strike(state.faults, call, 'report_without_rows', call.occasion) !== undefined;
  const page = pageOf(call, isEmpty ? [] : rows, call.parameters, call.token, damage);
  if (damage.cut === null) return sendJson(call.response, 200, page, call.headers);
  sendCut(call, JSON.stringify(page), damage.cut);
}

function sendCut({ response, headers }: InsightsCall, text: string, cut: NonNullable<Damage['cut']>): void {
  response.writeHead(200, { 'content-type': 'application/json; charset=UTF-8', ...headers });
  const half = text.slice(0, Math.floor(text.length / 2));
  if (cut === 'clean') response.end(half);
  else response.write(half, () => response.destroy());
}

export function rowsOf(query: InsightsQuery, context: ReadContext): Record<string, unknown>[] {
  const { differsOn } = context;
  const rows = [...readRows(query, context)];
  const differing = rows.find(({ fromDay, toDay }) => differsOn !== undefined && fromDay <= differsOn && toDay >= differsOn);
  if (differing) differing.numbers[metric.impressions] = (differing.numbers[metric.impressions] ?? 0) + 1;
  return rows.map((row) => rowJson(query, context.account, row));
}

/** `today`: for a report run, its start day. */
export function contextOf(state: MetaAdsState, account: Account, today = state.clock.today(account.timeZone)): ReadContext {
  return { account, today, revisionOf: (day) => state.revisionOf(account.id, day) };
}

/** Like `contextOf`, with the effect of faults on the metrics of one read. All pages of a read have the same metrics. */
export function movedContextOf(state: MetaAdsState, call: InsightsCall, account: Account, today?: number): ReadContext {
  const context = contextOf(state, account, today);
  const isFirstPage = !call.parameters.get('after');
  const moving = isFirstPage ? strike(state.faults, call, 'numbers_move', call.occasion) : findFault(state, 'numbers_move');
  const differing = strike(state.faults, call, 'breakdown_differs', call.occasion);
  const level = strike(state.faults, call, 'level_differs', call.occasion);
  return {
    ...context,
    ...(moving && { growthOf: growthOf(moving) }),
    ...(level && { differsOn: toDayNumber(String(level.parameters.day)) }),
    ...(differing && { breakdownPercent: numberOf(differing, 'percent', 97) }),
  };
}

const findFault = (state: MetaAdsState, name: string): Fault | undefined =>
  state.faults.list().find(({ provider, fault }) => provider === 'meta-ads' && fault === name);

function growthOf(fault: Fault): (ageDays: number) => number {
  const growth = 1 + (fault.struckCount * numberOf(fault, 'percent', 1)) / 100;
  const days = numberOf(fault, 'days', 1);
  return (ageDays) => (ageDays < days ? growth : 1);
}
