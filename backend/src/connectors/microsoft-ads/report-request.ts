import type { AdAccount, Day, Slice } from '../kit/contract.js';
import { SkipAccount } from '../kit/errors.js';
import type { Report } from './streams.js';
import { reportZone } from './time-zones.js';

export function fieldsOf({ columns }: Report): string[] {
  return columns.flatMap((column) => (column.from === 'report' ? [column.field] : []));
}

/** The header is requested because it contains the row count. Without FormatVersion 2.0, numbers have thousands separators. */
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
      ReportTimeZone: zoneOf(slice.account),
    },
    Filter: null,
  };
}

function toDate(day: Day): { Day: number; Month: number; Year: number } {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  return { Day: date, Month: month, Year: year };
}

/** Accounts in an unsupported zone were once stored with UTC. Refreshing the account list corrects their zone. */
function zoneOf({ name, externalId, timeZone }: AdAccount): string {
  const zone = reportZone(timeZone);
  if (zone !== null) return zone;
  throw new SkipAccount({
    code: 'microsoft_ads.unknown_time_zone',
    message: `${name} (${externalId}) is stored in the time zone "${timeZone}", which Microsoft Advertising does not support. Nothing was read.`,
    action: 'Refresh the account list of the app',
    failureClass: 'config',
  });
}
