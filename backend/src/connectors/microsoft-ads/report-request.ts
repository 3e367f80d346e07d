import type { Day, Slice } from '../kit/contract.js';
import type { Report } from './streams.js';
import { reportZone } from './time-zones.js';

export function fieldsOf({ columns }: Report): string[] {
  return columns.flatMap((column) => (column.from === 'report' ? [column.field] : []));
}

/** The header is asked for because it counts the rows. Without FormatVersion 2.0 thousands come in groups. */
export function buildRequest(report: Report, slice: Slice): Record<string, unknown> {
  return {
    Type: `${report.type}ReportRequest`,
    ReportName: report.stream.name,
    Format: 'Csv',
    FormatVersion: '2.0',
    ReturnOnlyCompleteData: false,
    ExcludeReportHeader: false,
    ExcludeColumnHeaders: false,
    ExcludeReportFooter: true,
    Aggregation: 'Daily',
    Columns: fieldsOf(report),
    Scope: { AccountIds: [slice.account.externalId] },
    Time: {
      CustomDateRangeStart: toDate(slice.from),
      CustomDateRangeEnd: toDate(slice.to),
      ReportTimeZone: reportZone(slice.account.timeZone),
    },
    Filter: null,
  };
}

function toDate(day: Day): { Day: number; Month: number; Year: number } {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  return { Day: date, Month: month, Year: year };
}
