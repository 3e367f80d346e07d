import { toDayNumber } from '../clock.ts';
import { measures } from './columns.ts';
import { ApiFault, reportFault, unreadableRequest } from './errors.ts';
import { findReportType, isAttribute, type ReportType } from './reports.ts';
import { reportZoneLabel } from './time-zones.ts';

export interface ReportRequest {
  type: string;
  name: string;
  columns: string[];
  isDaily: boolean;
  accountIds: string[];
  fromDay: number;
  toDay: number;
  zoneLabel: string;
  formatVersion: '1.0' | '2.0';
  separator: ',' | '\t';
  hasHeader: boolean;
  hasColumnHeaders: boolean;
  hasFooter: boolean;
  isCompleteOnly: boolean;
}

/** Validation errors of Submit, in Microsoft's order. */
export function readReportRequest(body: Record<string, unknown>): ReportRequest {
  const request = body.ReportRequest;
  if (!isRecord(request)) throw reportFault(2001, 'NullReportRequest', 'The report request is null.');
  const type = /^(\w+)ReportRequest$/.exec(String(request.Type))?.[1] ?? '';
  const report = findReportType(type);
  if (!report) {
    throw reportFault(2002, 'UnknownReportType', 'The report request type is not valid.', String(request.Type));
  }
  const aggregation = readChoice(request.Aggregation ?? 'Summary', 'Aggregation', ['Summary', 'Daily']);
  const version = request.FormatVersion ?? '1.0';
  return {
    type,
    name: typeof request.ReportName === 'string' ? request.ReportName : `${type}Report`,
    columns: readColumns(type, report, request.Columns, aggregation),
    isDaily: aggregation === 'Daily',
    accountIds: readAccountIds(request.Scope),
    ...readTime(request.Time),
    formatVersion: readChoice(version, 'FormatVersion', ['1.0', '2.0'] as const),
    separator: readChoice(request.Format ?? 'Csv', 'Format', ['Csv', 'Tsv'] as const) === 'Csv' ? ',' : '\t',
    hasHeader: request.ExcludeReportHeader !== true,
    hasColumnHeaders: request.ExcludeColumnHeaders !== true,
    hasFooter: request.ExcludeReportFooter !== true,
    isCompleteOnly: request.ReturnOnlyCompleteData === true,
  };
}

function readColumns(type: string, report: ReportType, value: unknown, aggregation: string): string[] {
  if (!Array.isArray(value) || value.length === 0) {
    throw reportFault(2014, 'NullColumns', 'The list of columns to include in the report cannot be null or empty.');
  }
  const columns = value.map(String);
  const unknown = columns.find((column) => !report.columns.has(column));
  if (unknown) throw unreadableRequest(`Error converting value "${unknown}" to type '${type}ReportColumn'.`);
  if (new Set(columns).size < columns.length) {
    throw reportFault(2016, 'DuplicateColumns', 'The list of columns to include in the report contains duplicate.');
  }
  checkCombination(report, columns, aggregation);
  return columns;
}

function checkCombination(report: ReportType, columns: string[], aggregation: string): void {
  if (aggregation === 'Summary' && columns.includes('TimePeriod')) {
    const message = 'The TimePeriod column cannot be specified in a report request that has a summary aggregation.';
    throw reportFault(2034, 'InvalidTimePeriodColumnForSummaryReport', message);
  }
  const required = report.required.filter((column) => aggregation !== 'Summary' || column !== 'TimePeriod');
  if (required.some((column) => !columns.includes(column))) {
    const message = 'The list of columns to include in the report must contain all required columns.';
    throw reportFault(2015, 'RequiredColumnsNotSelected', message, required.join(', '));
  }
  if (columns.every(isAttribute)) {
    throw reportFault(2017, 'NoMeasureSelected', 'The report request does not specify at least one measurement column.');
  }
  const share = columns.find((column) => measures[column]?.isImpressionShare);
  const excluded = columns.find((column) => report.exclusive.includes(column));
  if (share && excluded) {
    const message = 'One or more input elements failed validation.';
    throw new ApiFault(400, 201, 'ApiInputValidationError', message, `${share} cannot be selected together with ${excluded}`);
  }
}

function readAccountIds(scope: unknown): string[] {
  const ids = isRecord(scope) ? scope.AccountIds : undefined;
  if (!Array.isArray(ids) || ids.length === 0) {
    throw reportFault(2026, 'InvalidAccountReportScope', 'The account report scope does not contain account identifiers.');
  }
  if (ids.length > 1_000) throw reportFault(2029, 'AccountsOverLimit', 'The report scope contains too many accounts.');
  // Ids are text; numbers are accepted too.
  return ids.map(String);
}

function readTime(time: unknown): { fromDay: number; toDay: number; zoneLabel: string } {
  const range = isRecord(time) ? time : {};
  if (range.PredefinedTime != null || range.CustomDateRangeStart == null || range.CustomDateRangeEnd == null) {
    const message =
      'The report time is null or contains more than one predefined time, custom date, or custom date range start and end.';
    throw reportFault(2008, 'InvalidReportTimeSelection', message);
  }
  const zone = String(range.ReportTimeZone ?? 'PacificTimeUSCanadaTijuana');
  const zoneLabel = reportZoneLabel(zone);
  if (!zoneLabel) throw unreadableRequest(`Error converting value "${zone}" to type 'ReportTimeZone'.`);
  const fromDay = readDate(range.CustomDateRangeStart);
  const toDay = readDate(range.CustomDateRangeEnd);
  if (Number.isNaN(fromDay)) throw invalidDate(2009, 'Start');
  if (Number.isNaN(toDay)) throw invalidDate(2010, 'End');
  if (toDay < fromDay) {
    const message = 'The report time contains a custom date range that is not valid; the end date cannot be earlier.';
    throw reportFault(2011, 'EndDateBeforeStartDate', message);
  }
  return { fromDay, toDay, zoneLabel };
}

function invalidDate(code: number, end: 'Start' | 'End'): ApiFault {
  const message = `The report time contains a custom date range ${end.toLowerCase()} value that is not valid.`;
  return reportFault(code, `InvalidCustomDateRange${end}`, message);
}

/** Retention of daily reports (guides/report-data-retention-time-periods). */
const retentionMonths = 36;

export function checkRetention({ fromDay }: ReportRequest, today: number): void {
  const now = new Date(today * 86_400_000);
  const oldestDay = Math.floor(now.setUTCMonth(now.getUTCMonth() - retentionMonths) / 86_400_000);
  if (fromDay < oldestDay) throw invalidDate(2009, 'Start');
}

/** The last day has begun in the time zone of the request. */
export function checkEnd({ toDay }: ReportRequest, today: number): void {
  if (toDay > today) throw invalidDate(2010, 'End');
}

function readDate(value: unknown): number {
  if (!isRecord(value)) return Number.NaN;
  const [year, month, day] = [value.Year, value.Month, value.Day].map((part) => String(part).padStart(2, '0'));
  return toDayNumber(`${year}-${month}-${day}`);
}

function readChoice<Choice extends string>(value: unknown, name: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((one) => one === value);
  if (!choice) throw unreadableRequest(`Error converting value "${String(value)}" to type '${name}'.`);
  return choice;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
