import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Page, ReadContext, Row, Slice, Value } from '../kit/contract.js';
import { CorruptAnswer, RetryLater } from '../kit/errors.js';
import { PageBuilder } from '../kit/rows/page-builder.js';
import { unifiedConstants } from '../kit/unified.js';
import type { MicrosoftAdsApi } from './api.js';
import { AddressExpired, download } from './download.js';
import { NOTHING_TO_DO } from '../kit/error-table.js';
import { corrupt, problemsOf, rowsDiffer, unexpectedValue } from './corrupt-answer.js';
import { ReportFile } from './report-file.js';
import { ReportJob } from './report-job.js';
import { buildRequest, fieldsOf } from './report-request.js';
import type { ReportSlots } from './report-slots.js';
import type { MicrosoftAdsSettings } from './settings.js';
import { reports, type Report } from './streams.js';
import { unzip } from './unzip.js';

const byStream = new Map(reports.map((report) => [report.stream.name, report]));

/** A download address may expire before the download begins. Number of addresses requested before giving up. */
const ADDRESSES = 3;

/** Yields pages as they arrive. The last one contains Microsoft's row count and is yielded only after as many rows were read. */
export async function* readSlice(
  settings: MicrosoftAdsSettings,
  api: MicrosoftAdsApi,
  slots: ReportSlots,
  context: ReadContext,
  slice: Slice,
): AsyncGenerator<Page> {
  const report = byStream.get(slice.stream.name);
  if (!report) throw new Error(`microsoft-ads has no stream "${slice.stream.name}"`);
  const job = new ReportJob({ settings, api, slots, slice, request: buildRequest(report, slice) });
  try {
    const archive = await openFile(settings, job, context);
    // Microsoft returns success without a file if there are no rows.
    if (archive) yield* readPages(report, slice, archive);
    else yield { ...noRows, providerRows: 0 };
  } catch (error) {
    // The same report would be inconsistent again.
    if (error instanceof CorruptAnswer) await context.job.save(null);
    throw error;
  }
}

const noRows: Page = { lines: Buffer.alloc(0), rowCount: 0, days: [] };

async function openFile(
  settings: MicrosoftAdsSettings,
  job: ReportJob,
  context: ReadContext,
): Promise<AsyncIterable<Uint8Array> | null> {
  for (let attempt = 1; ; attempt++) {
    const { url } = await job.finish(context);
    if (url === null) return null;
    try {
      return await download(context, url, settings.reportingUrl.startsWith('http://'));
    } catch (error) {
      if (!(error instanceof AddressExpired)) throw error;
      if (attempt === ADDRESSES) throw noAddressHolds();
    }
  }
}

async function* readPages(report: Report, slice: Slice, archive: AsyncIterable<Uint8Array>): AsyncGenerator<Page> {
  const file = new ReportFile(fieldsOf(report));
  const toRow = rowReader(report, slice);
  const pages = new PageBuilder(slice, {}, problemsOf(slice.from, slice.to));
  let rows = 0;
  for await (const records of file.read(unzip(archive))) {
    for (const record of records) pages.addRow(toRow(record));
    rows += records.length;
    yield* pages.take();
    await nextTurn();
  }
  if (rows !== file.rows) throw rowsDiffer(file.rows, rows);
  yield* pages.takeAll();
  yield { ...noRows, providerRows: rows };
}

function rowReader(report: Report, slice: Slice): (record: string[]) => Row {
  const { account } = slice;
  const unified: Record<string, string> = unifiedConstants(slice);
  const constants = report.columns.flatMap((column): [string, Value][] => {
    if (column.from === 'account') return [[column.name, account[column.property] ?? null]];
    return column.from === 'unified' ? [[column.name, unified[column.name] ?? null]] : [];
  });
  const cells = report.columns.flatMap((column) => (column.from === 'report' ? [column] : []));
  return (record) => {
    const row: Row = Object.fromEntries(constants);
    cells.forEach(({ name, field, read }, index) => {
      const text = record[index] ?? '';
      const value = read(text);
      if (value === undefined) throw unexpectedValue(field, text);
      row[name] = value;
    });
    if (row['account_id'] !== account.externalId) throw otherAccount(account.externalId, String(row['account_id']));
    return row;
  };
}

const otherAccount = (expected: string, found: string): CorruptAnswer =>
  corrupt('other_account', `it has a row of account ${found}: expected ${expected}`);

function noAddressHolds(): RetryLater {
  return new RetryLater({
    code: 'microsoft_ads.address_expired',
    message: 'Microsoft Advertising returned expired download addresses for its report.',
    action: NOTHING_TO_DO,
  });
}
