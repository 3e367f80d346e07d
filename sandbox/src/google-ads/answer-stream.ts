import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { metricCount } from './numbers.ts';
import type { Plan } from './plan.ts';
import { fieldMask } from './row-json.ts';
import { readChunks, summaryRow, type Search } from './search.ts';

export const summarySettings = ['UNSPECIFIED', 'NO_SUMMARY_ROW', 'SUMMARY_ROW_WITH_RESULTS', 'SUMMARY_ROW_ONLY'] as const;
export type SummarySetting = (typeof summarySettings)[number];

/** Effect of faults on the answer. The summary row always stays correct. */
export interface Damage {
  /** Rows missing at the end of one chunk. */
  missingRows: number;
  isChunkRepeated: boolean;
  /** Sends a summary row even if the report has no rows. */
  hasEmptySummary: boolean;
  /** Truncates the JSON inside a chunk: `clean` ends the answer normally, `abort` breaks the connection. */
  cut: 'clean' | 'abort' | null;
}

export const undamaged: Damage = { cut: null, missingRows: 0, isChunkRepeated: false, hasEmptySummary: false };

/**
 * :searchStream over REST: one JSON array of chunks, written as fast as the client reads. The summary row is in its own chunk
 * after all results. Without rows no chunk is sent: the array is empty (google-ads-python #851).
 */
export async function streamSearch(
  response: ServerResponse,
  search: Search,
  setting: SummarySetting,
  damage: Damage,
  requestId: string,
): Promise<void> {
  const totals = new Float64Array(metricCount);
  const closing = `"fieldMask":"${fieldMask(search.plan)}","requestId":"${requestId}","queryResourceConsumption":"${costOf(search.plan)}"`;
  response.writeHead(200, { 'content-type': 'application/json; charset=UTF-8', 'request-id': requestId });
  let separator = '[';
  let hasRows = false;
  for (const { rows, isLast } of readChunks(search, totals)) {
    hasRows ||= rows.length > 0;
    if (setting === 'SUMMARY_ROW_ONLY' || rows.length === 0) continue;
    // Rows are removed at the end of the last chunk.
    const kept = isLast && damage.missingRows > 0 ? rows.slice(0, -damage.missingRows) : rows;
    if (damage.cut) return endEarly(response, `${separator}{"results":[${halfOf(kept)}`, damage.cut);
    for (let copy = 0; copy < (damage.isChunkRepeated ? 2 : 1); copy++) {
      if (!(await writeChunk(response, separator, kept, closing))) return;
      separator = ',\n';
    }
    damage.isChunkRepeated = false;
  }
  const isEmpty = !hasRows && !damage.hasEmptySummary && totals.every((total) => total === 0);
  const hasSummary = !isEmpty && (setting === 'SUMMARY_ROW_WITH_RESULTS' || setting === 'SUMMARY_ROW_ONLY');
  const summary =
    hasSummary && search.plan.metrics.length > 0
      ? `${separator}{"summaryRow":${summaryRow(search.plan, totals)},${closing}}`
      : '';
  response.end(summary === '' && separator === '[' ? '[]' : `${summary}]`);
}

/** Small enough for the processor's cache, and to notice a slow reader early. */
const pieceRows = 200;

async function writeChunk(response: ServerResponse, separator: string, rows: string[], closing: string): Promise<boolean> {
  if (rows.length === 0) return write(response, `${separator}{${closing}}`);
  let before = `${separator}{"results":[\n`;
  for (let start = 0; start < rows.length; start += pieceRows) {
    const isLast = start + pieceRows >= rows.length;
    const after = isLast ? `\n],${closing}}` : '';
    if (!(await write(response, before + rows.slice(start, start + pieceRows).join(',\n') + after))) return false;
    before = ',\n';
  }
  return true;
}

function halfOf(rows: string[]): string {
  const text = rows.join(',');
  return text.slice(0, Math.floor(text.length / 2));
}

/** False if the reader has disconnected. */
async function write(response: ServerResponse, text: string): Promise<boolean> {
  if (response.destroyed) return false;
  if (!response.write(Buffer.from(text))) await drained(response);
  return !response.destroyed;
}

async function drained(response: ServerResponse): Promise<void> {
  const settled = new AbortController();
  const { signal } = settled;
  // An abort rejects the other wait, which is expected.
  const either = ['drain', 'close'].map((event) => once(response, event, { signal }).catch(() => undefined));
  await Promise.race(either);
  settled.abort();
}

async function endEarly(response: ServerResponse, text: string, cut: 'clean' | 'abort'): Promise<void> {
  if (cut === 'clean') {
    response.end(text);
    return;
  }
  await write(response, text);
  response.destroy();
}

function costOf(plan: Plan): number {
  return 10 + plan.select.length;
}
