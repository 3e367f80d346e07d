import { randomInt } from 'node:crypto';
import type { Account, User } from './accounts.ts';
import { ApiFault, reportFault } from './errors.ts';
import { contextOf } from './context.ts';
import type { ReportRequest } from './report-request.ts';
import { readRows } from './report-rows.ts';
import type { MicrosoftAdsState } from './state.ts';
import { isEqual, sign } from './tokens.ts';

export interface Report {
  id: string;
  user: User;
  account: Account;
  request: ReportRequest;
  /** In the sandbox's time, in milliseconds. */
  submittedAtMs: number;
  polls: number;
  state: 'pending' | 'stuck' | 'done' | 'failed';
  rows: string[][] | null;
}

/** The final status of a poll without a fault. */
export interface PollMood {
  pendingPolls: number;
  isStuck: boolean;
  isFailing: boolean;
}

const dayMs = 86_400_000;
/** Microsoft does not publish the limit. Five is a safe value in other clients. */
const concurrentReports = 5;
/** Reports complete without polling. */
const makingMs = 3_000;
const urlLifeMs = 5 * 60 * 1_000;
const reportsKept = 300;

export class ReportQueue {
  readonly #state: MicrosoftAdsState;
  readonly #reports = new Map<string, Report>();

  constructor(state: MicrosoftAdsState) {
    this.#state = state;
  }

  /** Equal requests create new reports: the service does not compare them. */
  submit(user: User, account: Account, request: ReportRequest): Report {
    const running = [...this.#reports.values()].filter((report) => report.user === user && this.#isRunning(report));
    if (running.length >= concurrentReports) throw tooManyReports();
    const id = `30000${randomInt(1_000_000_000, 10_000_000_000)}`;
    const report: Report = {
      ...{ id, user, account, request, submittedAtMs: this.#nowMs(), polls: 0, state: 'pending', rows: null },
    };
    this.#reports.set(id, report);
    const oldest = this.#reports.keys().next().value;
    if (this.#reports.size > reportsKept && oldest) this.#reports.delete(oldest);
    return report;
  }

  /** Only the requesting user finds a report, for a day. */
  find(user: User, id: unknown): Report {
    if (!/^\d{5,20}$/.test(String(id))) throw reportFault(2100, 'InvalidReportId', 'The report identifier is not valid.');
    const report = this.#reports.get(String(id));
    if (report?.user !== user || this.#nowMs() > report.submittedAtMs + dayMs) throw reportNotFound();
    return report;
  }

  poll(report: Report, mood: PollMood): void {
    if (report.state === 'done' || report.state === 'failed') return;
    report.polls += 1;
    if (mood.isStuck) report.state = 'stuck';
    else if (report.polls <= mood.pendingPolls) report.state = 'pending';
    else if (mood.isFailing) report.state = 'failed';
    else {
      report.state = 'done';
      report.rows = this.#makeRows(report);
    }
  }

  /** The signed path of a finished report's file, valid for five minutes. Each poll returns another. */
  downloadPath(report: Report): string {
    const expiresAtMs = this.#nowMs() + urlLifeMs;
    return `/microsoft-ads/download/${report.id}.zip?se=${expiresAtMs}&sig=${sign(`${report.id} ${expiresAtMs}`)}`;
  }

  /** Undefined if the address is invalid or has expired. */
  download(id: string, parameters: URLSearchParams): Report | undefined {
    const [expiresAtMs, signature] = [parameters.get('se') ?? '', parameters.get('sig') ?? ''];
    if (!isEqual(signature, sign(`${id} ${expiresAtMs}`)) || this.#nowMs() > Number(expiresAtMs)) return undefined;
    return this.#reports.get(id);
  }

  #isRunning({ state, submittedAtMs }: Report): boolean {
    return state === 'stuck' || (state === 'pending' && this.#nowMs() < submittedAtMs + makingMs);
  }

  #makeRows({ request, account }: Report): string[][] {
    return readRows(request, contextOf(this.#state, account)).map(({ values }) => values);
  }

  #nowMs(): number {
    return this.#state.clock.now().getTime();
  }
}

export function tooManyReports(): ApiFault {
  const message =
    'You have already reached the maximum number of concurrent report requests. Please wait until the previous reports are completed and then try to submit a new request.';
  return new ApiFault(400, 207, 'ConcurrentRequestOverLimit', message);
}

export function reportNotFound(): ApiFault {
  return reportFault(2101, 'ReportNotFound', 'The report was not found.');
}
