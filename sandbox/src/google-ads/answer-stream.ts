import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { metricCount } from './numbers.ts';
import type { Plan } from './plan.ts';
import { fieldMask } from './row-json.ts';
import { readChunks, summaryRow, type Search } from './search.ts';

export const summarySettings = ['UNSPECIFIED', 'NO_SUMMARY_ROW', 'SUMMARY_ROW_WITH_RESULTS', 'SUMMARY_ROW_ONLY'] as const;
export type SummarySetting = (typeof summarySettings)[number];

/** What a fault does to the answer; all of them leave the summary row true. */
export interface Damage {
  /** Rows missing at the end of one chunk. */
  missingRows: number;
  isChunkRepeated: boolean;
  /** The JSON ends in the middle of a chunk: `clean` closes the answer properly, `abort` breaks the connection. */
  cut: 'clean' | 'abort' | null;
}

/**
 * :searchStream over REST: one JSON array of chunks, written as fast as the reader takes it. A summary row comes in a
 * chunk of its own after all results.
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
  for (const { rows, isLast } of readChunks(search, totals)) {
    if (setting === 'SUMMARY_ROW_ONLY') continue;
    // Rows are lost where nobody counts: at the end of the last chunk.
    const kept = isLast && damage.missingRows > 0 ? rows.slice(0, -damage.missingRows) : rows;
    const chunk = kept.length > 0 ? `{"results":[\n${kept.join(',\n')}\n],${closing}}` : `{${closing}}`;
    if (damage.cut) return endEarly(response, separator + chunk.slice(0, Math.floor(chunk.length / 2)), damage.cut);
    if (!(await write(response, separator + chunk))) return;
    separator = ',\n';
    if (damage.isChunkRepeated && !(await write(response, separator + chunk))) return;
    damage.isChunkRepeated = false;
  }
  const hasSummary = setting === 'SUMMARY_ROW_WITH_RESULTS' || setting === 'SUMMARY_ROW_ONLY';
  const summary =
    hasSummary && search.plan.metrics.length > 0
      ? `${separator}{"summaryRow":${summaryRow(search.plan, totals)},${closing}}`
      : '';
  response.end(`${summary}]`);
}

/** False when the reader has gone. */
async function write(response: ServerResponse, text: string): Promise<boolean> {
  if (response.destroyed) return false;
  if (!response.write(text)) await drained(response);
  return !response.destroyed;
}

async function drained(response: ServerResponse): Promise<void> {
  const settled = new AbortController();
  const { signal } = settled;
  // An abort rejects the waiting that lost; that is its normal end.
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
