import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import type { ConnectorContext, Page, Slice } from '../kit/contract.js';
import { CorruptAnswer, RetryLater, SplitSlice } from '../kit/errors.js';
import { HTTP_TIMEOUT } from '../kit/http.js';
import type { GoogleAdsApi } from './api.js';
import { createRowReader } from './rows.js';
import { RowSink } from './row-sink.js';
import { TotalsCheck, type Totals } from './totals-check.js';
import { reports, type Report } from './streams.js';

/** Parsed rows validated without a pause. Google sends 10,000 at once, which would block the event loop for 50 to 100 ms. */
const ROWS_AT_ONCE = 2_000;

const summaryMetric = z
  .string()
  .regex(/^-?\d{1,19}$/)
  .default('0')
  .transform(BigInt);
const chunkSchema = z.object({
  results: z.array(z.unknown()).default([]),
  summaryRow: z
    .object({
      metrics: z
        .object({
          costMicros: summaryMetric,
          clicks: summaryMetric,
          impressions: summaryMetric,
          allConversions: z.number().default(0),
        })
        .prefault({}),
    })
    .optional(),
});

const readers = new Map(reports.map((report) => [report.stream.name, { report, reader: createRowReader(report) }]));

/** A report that times out is split into fewer days; a single day is retried unchanged. */
export async function* readSlice(api: GoogleAdsApi, context: ConnectorContext, slice: Slice): AsyncGenerator<Page> {
  try {
    yield* readPages(api, context, slice);
  } catch (error) {
    const isTooSlow = error instanceof RetryLater && tooSlow.has(error.code);
    throw isTooSlow && slice.from < slice.to ? new SplitSlice(error, { cause: error }) : error;
  }
}

const tooSlow = new Set(['google_ads.deadline_exceeded', 'google_ads.http_504', HTTP_TIMEOUT]);

/**
 * Yields pages as they arrive. The last one contains Google's totals and is yielded only after the rows were verified against
 * them.
 */
async function* readPages(api: GoogleAdsApi, context: ConnectorContext, slice: Slice): AsyncGenerator<Page> {
  const found = readers.get(slice.stream.name);
  if (!found) throw new Error(`google-ads has no stream "${slice.stream.name}"`);
  const sink = new RowSink(slice, found.reader);
  const proof = new TotalsCheck(slice.stream);
  let totals: Totals | null = null;
  const search = {
    customerId: slice.account.externalId,
    loginCustomerId: slice.account.managerId,
    query: buildQuery(found.report, found.reader.fields, slice),
    hasSummaryRow: true,
  };
  for await (const chunks of api.searchStream(context, search, sink)) {
    for (const chunk of chunks.map(checkChunk)) {
      await addAtLeisure(sink, chunk.results);
      totals = chunk.summaryRow?.metrics ?? totals;
    }
    for (const page of sink.pages.take()) {
      proof.add(page);
      yield page;
      await nextTurn();
    }
  }
  const rest = sink.pages.takeAll();
  for (const page of rest) proof.add(page);
  // A report without rows has no totals either: Google returns a complete, empty list (google-ads-python #851).
  if (totals === null && proof.rows === 0) totals = noTotals;
  if (totals === null) throw withoutSummary(proof.rows);
  proof.checkAgainst(totals);
  yield* rest;
  yield { ...noRows, ...proofOf(slice, totals, proof.rows) };
}

/** Totals without cost, clicks and impressions cannot verify rows. Such reports are verified by their conversions. */
function proofOf({ stream }: Slice, { costMicros, clicks, impressions }: Totals, rows: number): Partial<Page> {
  if (stream.verification === 'share_of_total') return { providerRows: rows, shareOf: { costMicros, clicks, impressions } };
  return stream.metrics.clicks === null ? { providerRows: rows } : { providerTotals: { costMicros, clicks, impressions } };
}

const noTotals: Totals = { costMicros: 0n, clicks: 0n, impressions: 0n, allConversions: 0 };

const noRows: Page = { lines: Buffer.alloc(0), rowCount: 0, days: [] };

/** Rows in an unusual field order. All others went to the sink directly. */
async function addAtLeisure(sink: RowSink, results: unknown[]): Promise<void> {
  for (let offset = 0; offset < results.length; offset += ROWS_AT_ONCE) {
    sink.addParsed(results.slice(offset, offset + ROWS_AT_ONCE), offset);
    await nextTurn();
  }
}

function buildQuery(report: Report, fields: string[], slice: Slice): string {
  const days = `segments.date BETWEEN '${slice.from}' AND '${slice.to}'`;
  // Omits resource names, which only repeat the ids.
  return `SELECT ${fields.join(', ')} FROM ${report.resource} WHERE ${days} PARAMETERS omit_unselected_resource_names = true`;
}

function checkChunk(raw: unknown): z.infer<typeof chunkSchema> {
  const checked = chunkSchema.safeParse(raw);
  if (checked.success) return checked.data;
  const issue = checked.error.issues[0];
  throw new CorruptAnswer({
    code: 'google_ads.unexpected_value',
    message: `Google Ads sent an unexpected value at ${issue?.path.join('.') ?? 'the top level'}: ${issue?.message ?? 'unknown'}. Nothing of the chunk was loaded.`,
    action: 'No action needed: Tributary retries automatically',
  });
}

/** The summary row is the last chunk. An answer without it is truncated, even if its JSON is complete. */
function withoutSummary(rows: number): CorruptAnswer {
  return new CorruptAnswer({
    code: 'google_ads.summary_missing',
    message: `The answer of Google Ads has no totals: expected a summary row, found ${rows} rows and none. Nothing of the chunk was loaded.`,
    action: 'No action needed: Tributary retries automatically',
  });
}
