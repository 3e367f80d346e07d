import type { Account, User } from './accounts.ts';
import { GoogleAdsError, queryError } from './errors.ts';
import { addMetrics, metricCount } from './numbers.ts';
import { needsMetrics, planQuery, type Plan } from './plan.ts';
import type { ReadContext } from './read-context.ts';
import { readRows } from './report.ts';
import { fieldMask, metricsWriter, rowWriter } from './row-json.ts';
import type { GoogleAdsState } from './state.ts';
import { isEqual, sign } from './tokens.ts';

export const pageRows = 10_000;
const pageTokenLifeMs = 2 * 60 * 60 * 1_000;

export interface Search {
  plan: Plan;
  context: ReadContext;
  query: string;
}

export function prepareSearch(state: GoogleAdsState, account: Account, user: User, query: unknown): Search {
  if (typeof query !== 'string' || query.trim() === '') {
    throw new GoogleAdsError('invalid', 'requestError', 'REQUIRED_FIELD_MISSING', 'The query is missing.', {
      fieldPath: ['query'],
    });
  }
  const context = contextOf(state, account, user);
  const plan = planQuery(query, context.today);
  if (account.isManager && needsMetrics(plan)) {
    throw queryError(
      'REQUESTED_METRICS_FOR_MANAGER',
      'Metrics cannot be requested for a manager account. To retrieve metrics, issue separate requests against each client account under the manager account.',
    );
  }
  return { plan, context, query };
}

export function contextOf(state: GoogleAdsState, account: Account, user: User): ReadContext {
  return {
    account,
    user,
    today: state.clock.today(account.timeZone),
    revisionOf: (day) => state.revisionOf(account.id, day),
    uploads: state.conversions.uploadsOf(account.id),
    now: state.clock.now(),
  };
}

/** Rows as text, up to `pageRows` at a time. There is always a last chunk, which may be empty. */
export function* readChunks(search: Search, totals: Float64Array): Generator<{ rows: string[]; isLast: boolean }> {
  const write = rowWriter(search.plan);
  let rows: string[] = [];
  for (const row of readRows(search.plan, search.context)) {
    if (rows.length === pageRows) {
      yield { rows, isLast: false };
      rows = [];
    }
    if (!row.entity.isHidden) rows.push(write(row));
    if (row.metrics) addMetrics(totals, 0, row.metrics, 0);
  }
  yield { rows, isLast: true };
}

export function summaryRow(plan: Plan, totals: Float64Array): string {
  return `{"metrics":${metricsWriter(plan.metrics)(totals)}}`;
}

interface SearchRequest {
  query?: unknown;
  pageToken?: unknown;
  searchSettings?: { omitResults?: boolean; returnTotalResultsCount?: boolean; returnSummaryRow?: boolean };
}

/**
 * One page of :search as JSON text. With `isChunkRepeated`, the next page token returns this page again. `missingRows` are
 * removed at its end.
 */
export function searchPage(
  search: Search,
  request: SearchRequest,
  damage: { isChunkRepeated: boolean; missingRows: number } | null,
): string {
  const { plan, context } = search;
  const token = readPageToken(search, request.pageToken);
  const settings = request.searchSettings ?? {};
  const write = rowWriter(plan);
  const rows: string[] = [];
  const totals = new Float64Array(metricCount);
  const needsAll = settings.returnSummaryRow === true || settings.returnTotalResultsCount === true;
  let count = 0;
  for (const row of readRows(plan, context)) {
    if (row.metrics) addMetrics(totals, 0, row.metrics, 0);
    if (row.entity.isHidden) continue;
    if (count >= token.offset && rows.length < pageRows) rows.push(write(row));
    count += 1;
    if (!needsAll && count > token.offset + pageRows) break;
  }
  const kept = damage && damage.missingRows > 0 ? rows.slice(0, -damage.missingRows) : rows;
  const hasNext = count > token.offset + pageRows && !settings.omitResults;
  const isAgain = hasNext && !token.isAgain && damage?.isChunkRepeated === true;
  const next = hasNext ? pageToken(search, isAgain ? token.offset : token.offset + pageRows, isAgain) : null;
  const parts = [
    kept.length > 0 && !settings.omitResults ? `"results":[${kept.join(',')}]` : '',
    next ? `"nextPageToken":${JSON.stringify(next)}` : '',
    settings.returnTotalResultsCount ? `"totalResultsCount":"${count}"` : '',
    `"fieldMask":"${fieldMask(plan)}"`,
    settings.returnSummaryRow ? `"summaryRow":${summaryRow(plan, totals)}` : '',
    `"queryResourceConsumption":"${Math.ceil(rows.length / 10) + 1}"`,
  ];
  return `{${parts.filter(Boolean).join(',')}}`;
}

function pageToken(search: Search, offset: number, isAgain: boolean): string {
  const content = `${offset}.${isAgain ? 1 : 0}.${Date.now()}`;
  return `${content}.${sign(`${content} ${search.context.account.id} ${search.query}`)}`;
}

/** A token is valid only for its query and account, for a limited time. */
function readPageToken(search: Search, token: unknown): { offset: number; isAgain: boolean } {
  if (token === undefined || token === '') return { offset: 0, isAgain: false };
  const invalid = (code: string, message: string): GoogleAdsError =>
    new GoogleAdsError('invalid', 'requestError', code, message, { fieldPath: ['page_token'] });
  const [offset, again, at, signature] = String(token).split('.');
  const content = `${offset}.${again}.${at}`;
  if (!signature || !isEqual(signature, sign(`${content} ${search.context.account.id} ${search.query}`))) {
    throw invalid('INVALID_PAGE_TOKEN', 'Page token is invalid.');
  }
  if (Date.now() - Number(at) > pageTokenLifeMs) throw invalid('EXPIRED_PAGE_TOKEN', 'Page token has expired.');
  return { offset: Number(offset), isAgain: again === '1' };
}
