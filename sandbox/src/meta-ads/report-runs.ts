import { randomInt } from 'node:crypto';
import { sendJson } from '../router.ts';
import type { Account } from './accounts.ts';
import type { Fault } from '../faults.ts';
import { GraphError, unknownObject } from './errors.ts';
import { numberOf, strike, strikeResults, strikeYoungRun } from './faults.ts';
import { contextOf, isTooBig, movedContextOf, rowsOf, sendPage, type InsightsCall } from './insights.ts';
import { readInsightsQuery } from './insights-query.ts';
import { estimateRows } from './report.ts';
import type { MetaAdsState, SavedReportRun } from './state.ts';

/** Maximum rows of a report run, based on Meta's estimate. */
const refusedRows = 100_000;
const lifeMs = 30 * 86_400_000;
/** Duration of a run, plus a little per row. */
const shortestMs = 80;
const rowsPerMs = 100;

type Json = Record<string, unknown>;

/** With a fault, it keeps that status until the fault is cleared. */
type Ending = 'completes' | 'too_big' | { failed: Json } | 'skipped' | Fault;

/** Asynchronous reports: started, polled, and fetched when complete. */
export class ReportRuns {
  readonly #state: MetaAdsState;
  /** Runs that end in another way than complete. Lost when the process ends. */
  readonly #endings = new Map<string, Ending>();
  readonly #rows = new Map<string, Record<string, unknown>[]>();

  constructor(state: MetaAdsState) {
    this.#state = state;
  }

  /** POST /act_…/insights */
  start(call: InsightsCall, user: string): void {
    const { today } = contextOf(this.#state, call.account);
    const query = readInsightsQuery(call.parameters, today);
    const rows = estimateRows(query, call.account);
    const parameters = new URLSearchParams(
      [...call.parameters].filter(([name]) => !['access_token', 'appsecret_proof'].includes(name)),
    );
    const id = `6${String(Date.now())}${randomInt(100, 1_000)}`;
    this.#endings.set(id, this.#endingOf(call, rows));
    this.#state.addReportRun({
      id,
      accountId: call.account.id,
      user,
      parameters: parameters.toString(),
      startedAt: this.#nowMs(),
      today,
    });
    sendJson(call.response, 200, { report_run_id: id }, call.headers);
  }

  #endingOf(call: InsightsCall, rows: number): Ending {
    const hit = (name: string): boolean => strike(this.#state.faults, call, name, call.occasion) !== undefined;
    if (rows > refusedRows || isTooBig(this.#state, call, call.occasion, rows)) return 'too_big';
    const failing = strike(this.#state.faults, call, 'report_failed', call.occasion);
    if (failing) return { failed: failureOf(failing) };
    if (hit('report_skipped')) return 'skipped';
    return strike(this.#state.faults, call, 'report_never_finishes', call.occasion) ?? 'completes';
  }

  /** The run with that id, if it belongs to this user and is not older than 30 days. */
  find(id: string, user: string): SavedReportRun {
    const run = this.#state.findReportRun(id);
    if (run?.user !== user || this.#nowMs() - run.startedAt > lifeMs) throw unknownObject(id);
    return run;
  }

  /** GET /{report run} */
  status(call: InsightsCall, run: SavedReportRun): void {
    strikeYoungRun(this.#state.faults, call, call.occasion, { id: run.id, ageMs: this.#nowMs() - run.startedAt });
    const progress = this.#progress(run, call.account);
    const body = {
      id: run.id,
      account_id: run.accountId,
      time_ref: Math.floor(run.startedAt / 1_000),
      ...(progress.async_status === 'Job Completed' && { time_completed: Math.floor(this.#nowMs() / 1_000) }),
      ...progress,
    };
    sendJson(call.response, 200, body, call.headers);
  }

  /** GET /{report run}/insights */
  results(call: InsightsCall, run: SavedReportRun): void {
    const { async_status: status, async_percent_completion: percent } = this.#progress(run, call.account);
    if (status !== 'Job Completed' || percent !== 100) {
      throw new GraphError(2_601, 'Error accessing adreport job.', {
        subcode: 1_815_107,
        isTransient: true,
        userTitle: 'Loading Async Session Failed',
        userMessage: 'Sorry, the loading of this async session has failed. Please try again.',
      });
    }
    const fields = new URLSearchParams(run.parameters).get('fields') ?? 'impressions';
    strikeResults(this.#state.faults, call, call.occasion, { id: run.id, fields });
    sendPage(this.#state, call, this.#rowsOf(run, call));
  }

  #rowsOf(run: SavedReportRun, call: InsightsCall): Record<string, unknown>[] {
    let rows = this.#rows.get(run.id);
    if (!rows) {
      const query = readInsightsQuery(new URLSearchParams(run.parameters), run.today);
      rows = rowsOf(query, movedContextOf(this.#state, call, call.account, run.today));
      // Few at a time, because clients read the pages sequentially.
      if (this.#rows.size >= 10) this.#rows.delete(this.#rows.keys().next().value as string);
      this.#rows.set(run.id, rows);
    }
    return rows;
  }

  /** The polled state: 100 percent may come before the final status, and the reverse. */
  #progress(
    run: SavedReportRun,
    account: Account,
  ): { async_status: string; async_percent_completion: number } & Record<string, unknown> {
    const query = readInsightsQuery(new URLSearchParams(run.parameters), run.today);
    const share = (this.#nowMs() - run.startedAt) / (shortestMs + estimateRows(query, account) / rowsPerMs);
    const given = this.#endings.get(run.id) ?? 'completes';
    const ending = isHeld(given) && !this.#state.faults.list().includes(given) ? 'completes' : given;
    const at = (status: string, percent: number) => ({ async_status: status, async_percent_completion: percent });
    if (share < 0.15) return at('Job Not Started', 0);
    if (share < 0.3) return at('Job Started', 0);
    if (isHeld(ending)) {
      const { status } = ending.parameters;
      return at(typeof status === 'string' ? status : 'Job Running', numberOf(ending, 'percent', 42));
    }
    if (share < 0.6) return at('Job Running', Math.round(share * 100));
    if (ending === 'skipped') return at('Job Skipped', 60);
    if (ending === 'too_big') return { ...at('Job Failed', 60), ...tooBig };
    if (typeof ending === 'object') return { ...at('Job Failed', 60), ...ending.failed };
    if (share < 0.8) return at('Job Running', 100);
    return at('Job Completed', share < 0.9 ? 99 : 100);
  }

  #nowMs(): number {
    return this.#state.clock.now().getTime();
  }
}

const isHeld = (ending: Ending): ending is Fault => typeof ending === 'object' && 'parameters' in ending;

/** Fields of a failed run, since v25. */
const tooBig: Json = {
  error_code: -3,
  error_subcode: 1_504_045,
  error_message: 'Report too large',
  error_user_title: 'Report too large',
  error_user_msg: 'The report is too large. Use a smaller range, fewer breakdowns or filters.',
};

/** Fields for the code in the fault. */
function failureOf(fault: Fault): Json {
  const code = numberOf(fault, 'code', -2);
  const subcode = numberOf(fault, 'subcode', code === -2 ? 2_490_547 : 0);
  return {
    error_code: code,
    ...(subcode !== 0 && { error_subcode: subcode }),
    error_message: 'Report failed',
    error_user_title: 'Report failed',
    error_user_msg: 'The report could not be created. Please try again.',
  };
}
