import type { Occasion } from '../faults.ts';
import { sendJson, type Exchange } from '../router.ts';
import type { Account } from './accounts.ts';
import { optInBreakdown } from './breakdowns.ts';
import { timedOut, tooMuchForOneCall } from './errors.ts';
import { numberOf, strike, strikeData, strikeTimeOut, type Damage } from './faults.ts';
import { readInsightsQuery, type InsightsQuery } from './insights-query.ts';
import { pageOf } from './paging.ts';
import { estimateRows, readRows, type ReadContext } from './report.ts';
import { rowJson } from './row-json.ts';
import type { MetaAdsState } from './state.ts';

/** Rows of one synchronous report, by Meta's guess before it reads: above the first it takes too long, above the second it is refused. */
const slowRows = 8_000;
const refusedRows = 20_000;

export interface InsightsCall extends Exchange {
  account: Account;
  parameters: URLSearchParams;
  token: string;
  occasion: Occasion;
  headers: Record<string, string>;
}

/** GET /act_…/insights: everything at once, if that is not too much. */
export function answerInsights(state: MetaAdsState, call: InsightsCall): void {
  const context = contextOf(state, call.account);
  const query = readInsightsQuery(call.parameters, context.today);
  strikeTimeOut(state.faults, call, call.occasion);
  const rows = estimateRows(query, call.account);
  if (rows > refusedRows || isTooBig(state, call, call.occasion, rows)) throw tooMuchForOneCall();
  if (rows > slowRows) throw timedOut();
  sendPage(state, call, query.breakdowns.includes(optInBreakdown) ? [] : rowsOf(query, context));
}

export function isTooBig(state: MetaAdsState, exchange: Exchange, occasion: Occasion, rows: number): boolean {
  const limits = state.faults.list().filter(({ provider, fault }) => provider === 'meta-ads' && fault === 'report_too_big');
  // Asked for what is small enough, the fault neither strikes nor is used up.
  if (limits.every((fault) => rows <= numberOf(fault, 'maximumRows', 0))) return false;
  return strike(state.faults, exchange, 'report_too_big', occasion) !== undefined;
}

export function sendPage(state: MetaAdsState, call: InsightsCall, rows: Record<string, unknown>[]): void {
  const damage = strikeData(state.faults, call, call.occasion);
  const page = pageOf(call, rows, call.parameters, call.token, damage);
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
  return [...readRows(query, context)].map((row) => rowJson(query, context.account, row));
}

/** `today`: of a report run, the day it was started. */
export function contextOf(state: MetaAdsState, account: Account, today = state.clock.today(account.timeZone)): ReadContext {
  return { account, today, revisionOf: (day) => state.revisionOf(account.id, day) };
}
