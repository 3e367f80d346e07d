import { isDeepStrictEqual } from 'node:util';
import { dayToDate } from '../core/database/days.js';
import type { ExcludedColumns, FieldChoice } from '../connectors/kit/rows/excluded-columns.js';
import { type Connection, Prisma } from '../generated/prisma/client.js';
import { includesMore } from './excluded-columns.js';
import { freshnessTargetColumn, type FreshnessTargetBody, toFreshnessTarget } from './freshness-target.dto.js';
import { hashesOther } from './hashed-fields.js';
import type { ScheduleBody } from './schedule/schedule.dto.js';
import { nextRunAt, type Schedule, scheduleColumn } from './schedule/schedule.js';

/** Columns that are included again, hashed for the first time, or not hashed any more have other values on all loaded days. */
export const needsReload = ({ leftOut, hashed }: Connection, change: Partial<FieldChoice>): boolean =>
  (change.leftOut !== undefined && includesMore(leftOut as ExcludedColumns, change.leftOut)) ||
  (change.hashed !== undefined && hashesOther(hashed as ExcludedColumns, change.hashed));

/** Days of further streams, or before the first day of the history so far, are not loaded yet. */
export const addsDays = ({ streams, historyFrom }: Connection, change: { streams?: string[]; historyFrom?: string }): boolean =>
  (change.streams ?? []).some((stream) => !streams.includes(stream)) ||
  (change.historyFrom !== undefined && dayToDate(change.historyFrom) < historyFrom);

export function scheduleColumns(body: ScheduleBody): { schedule: Schedule; nextRunAt: Date | null } {
  const schedule = toSchedule(body);
  return { schedule, nextRunAt: nextRunAt(schedule, new Date()) };
}

/** Empty for an equal schedule, so that the next run keeps its time: settings are saved as a whole. */
export const changedScheduleColumns = ({ schedule }: Connection, body: ScheduleBody) =>
  isDeepStrictEqual(toSchedule(body), scheduleColumn.read(schedule)) ? {} : scheduleColumns(body);

export function toSchedule({ kind, timeZone, everyMinutes, atTime, cron, notBefore }: ScheduleBody): Schedule {
  const opening = notBefore === undefined ? {} : { notBefore };
  if (kind === 'interval') return { kind, everyMinutes: everyMinutes ?? 60, timeZone, ...opening };
  if (kind === 'daily') return { kind, atTime: atTime ?? '06:00', timeZone };
  return kind === 'cron' ? { kind, cron: cron ?? '', timeZone, ...opening } : { kind, timeZone };
}

/** Prisma leaves a column unchanged if its value is undefined. */
export const targetColumn = (body: FreshnessTargetBody | null | undefined) =>
  body === undefined ? {} : { freshnessTarget: body === null ? Prisma.DbNull : { ...toFreshnessTarget(body) } };

export function hasOtherTarget({ freshnessTarget }: Connection, body: FreshnessTargetBody | null | undefined): boolean {
  if (body === undefined) return false;
  const [before, after] = [freshnessTargetColumn.read(freshnessTarget), body && toFreshnessTarget(body)];
  return before?.atTime !== after?.atTime || before?.timeZone !== after?.timeZone || before?.daysAfter !== after?.daysAfter;
}
