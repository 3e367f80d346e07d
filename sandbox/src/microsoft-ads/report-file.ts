import { zipSync } from 'fflate';
import { toDate } from '../clock.ts';
import type { ReportRequest } from './report-request.ts';

export interface FileParts {
  request: ReportRequest;
  rows: string[][];
  /** The current time, for the header lines about data completeness. */
  now: Date;
  isIncomplete: boolean;
}

const byteOrderMark = '\uFEFF';

/** The text of a report in Microsoft's format. `missingRows` and `repeatedRows` do not change its row count. */
export function reportText(parts: FileParts, missingRows: number, repeatedRows: number): string {
  const { request, rows, now } = parts;
  const kept = missingRows > 0 ? rows.slice(0, -missingRows) : rows;
  const written = repeatedRows > 0 ? [...kept, ...rows.slice(-repeatedRows)] : kept;
  const lines = [
    ...(request.hasHeader ? headerLines(parts) : []),
    ...(request.hasColumnHeaders ? [lineOf(request.columns, request)] : []),
    ...written.map((row) => lineOf(row, request)),
    ...(request.hasFooter ? ['', quote(`@${now.getUTCFullYear()} Microsoft Corporation. All rights reserved. `)] : []),
  ];
  return `${byteOrderMark}${lines.join('\r\n')}\r\n`;
}

export function zipReport(id: string, text: string): Buffer {
  return Buffer.from(zipSync({ [`${id}.csv`]: Buffer.from(text) }, { level: 1 }));
}

function headerLines({ request, rows, now, isIncomplete }: FileParts): string[] {
  const [from, to] = [request.fromDay, request.toDay].map(usDate);
  const processed = `${usDate(Math.floor(now.getTime() / 86_400_000))} ${now.getUTCHours() % 12 || 12}:00:00 ${now.getUTCHours() < 12 ? 'AM' : 'PM'} (GMT)`;
  return [
    ...[
      `Report Name: ${request.name}`,
      `Report Time: ${from === to ? from : `${from},${to}`}`,
      `Time Zone: ${request.zoneLabel}`,
      `Last Completed Available Day: ${processed}`,
      `Last Completed Available Hour: ${processed}`,
      `Report Aggregation: ${request.isDaily ? 'Daily' : 'Summary'}`,
      'Report Filter: ',
      `Potential Incomplete Data: ${isIncomplete}`,
      `Rows: ${rows.length}`,
    ].map(quote),
    '',
  ];
}

function lineOf(values: string[], { separator }: ReportRequest): string {
  return values.map(quote).join(separator);
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** Month, day and year without leading zeros. */
function usDate(dayNumber: number): string {
  const [year, month, day] = toDate(dayNumber).split('-').map(Number);
  return `${month}/${day}/${year}`;
}
