import type { Exchange } from '../router.ts';
import type { Account, User } from './accounts.ts';
import { findOwn } from './access.ts';
import { contextOf } from './context.ts';
import { reportFault } from './errors.ts';
import { numberOf, strike, strikeEarly } from './faults.ts';
import { reportText, zipReport } from './report-file.ts';
import { reportNotFound, ReportQueue, tooManyReports, type Report } from './report-queue.ts';
import { checkEnd, checkRetention, readReportRequest } from './report-request.ts';
import type { MicrosoftAdsState } from './state.ts';

const pendingPolls = 2;

/** The Reporting service: submit, poll and download. */
export class Reporting {
  readonly #state: MicrosoftAdsState;
  readonly #queue: ReportQueue;

  constructor(state: MicrosoftAdsState) {
    this.#state = state;
    this.#queue = new ReportQueue(state);
  }

  submit(exchange: Exchange, body: Record<string, unknown>, user: User, account: Account): Record<string, unknown> {
    const request = readReportRequest(body);
    if (request.accountIds.some((id) => !findOwn(user, id))) {
      const message = 'The specified report request contains at least one account that you do not have privileges to access.';
      throw reportFault(2003, 'AccountNotAuthorized', message);
    }
    const { today } = contextOf(this.#state, account);
    checkRetention(request, today);
    if (request.fromDay > today + 1) {
      throw reportFault(2041, 'InvalidFutureStartDate', 'The specified report time start date is in the future.');
    }
    if (request.isCompleteOnly && request.toDay >= today) {
      throw reportFault(
        2004,
        'NoCompleteDataAvaliable',
        'You requested a report with complete data. Only partial data is available.',
      );
    }
    checkEnd(request, today);
    const occasion = { endpoint: 'api', accountId: account.id, resource: request.type };
    if (strike(this.#state.faults, exchange, 'concurrent_limit', occasion)) throw tooManyReports();
    return { ReportRequestId: this.#queue.submit(user, account, request).id };
  }

  poll(exchange: Exchange, body: Record<string, unknown>, user: User): Record<string, unknown> {
    const report = this.#queue.find(user, body.ReportRequestId);
    const struck = (name: string) => strike(this.#state.faults, exchange, name, occasionOf(report, 'api'));
    if (struck('lost_report')) throw reportNotFound();
    const slow = struck('slow_report');
    this.#queue.poll(report, {
      pendingPolls: slow ? numberOf(slow, 'polls', 5) : pendingPolls,
      isStuck: struck('never_finishes') !== undefined,
      isFailing: report.polls >= pendingPolls && struck('report_error') !== undefined,
    });
    const status = { pending: 'Pending', stuck: 'Pending', done: 'Success', failed: 'Error' }[report.state];
    // Without rows there is no file: Success comes without an address.
    const hasFile = report.rows !== null && report.rows.length > 0;
    const url = hasFile ? `http://${exchange.request.headers.host}${this.#queue.downloadPath(report)}` : null;
    return { ReportRequestStatus: { ReportDownloadUrl: url, Status: status } };
  }

  /** The storage server of another product: no credentials besides the address, and errors in XML. */
  async download(exchange: Exchange): Promise<void> {
    const { response, url, params } = exchange;
    const report = this.#queue.download(params.id ?? '', url.searchParams);
    const occasion = report ? occasionOf(report, 'download') : { endpoint: 'download' };
    if (!(await strikeEarly(this.#state.faults, exchange, occasion))) return;
    const hasExpired = report && strike(this.#state.faults, exchange, 'expired_url', occasionOf(report, 'api'));
    if (!report?.rows || hasExpired) {
      response.writeHead(403, { 'content-type': 'application/xml' });
      response.end(storageError);
      return;
    }
    this.#sendFile(exchange, report, report.rows);
  }

  #sendFile(exchange: Exchange, report: Report, rows: string[][]): void {
    const { response } = exchange;
    const struck = (name: string) => strike(this.#state.faults, exchange, name, occasionOf(report, 'api'));
    const [missing, repeated, cut] = [struck('truncate_rows'), struck('repeat_rows'), struck('truncate_zip')];
    const isIncomplete = report.request.toDay >= contextOf(this.#state, report.account).today;
    const text = reportText(
      { request: report.request, rows, now: this.#state.clock.now(), isIncomplete },
      missing ? numberOf(missing, 'rows', 5) : 0,
      repeated ? numberOf(repeated, 'rows', 5) : 0,
    );
    const zip = zipReport(report.id, text);
    const isAborted = cut?.parameters.abort === true;
    response.writeHead(200, { 'content-type': 'application/x-zip-compressed', ...(!cut && { 'content-length': zip.length }) });
    if (!cut) response.end(zip);
    else if (isAborted) response.write(zip.subarray(0, zip.length / 2), () => response.destroy());
    else response.end(zip.subarray(0, zip.length / 2));
  }
}

function occasionOf({ account, request }: Report, endpoint: string): { endpoint: string; accountId: string; resource: string } {
  return { endpoint, accountId: account.id, resource: request.type };
}

const storageError =
  '\uFEFF<?xml version="1.0" encoding="utf-8"?><Error><Code>AuthenticationFailed</Code><Message>Server failed to authenticate the request. Make sure the value of Authorization header is formed correctly including the signature.</Message></Error>';
