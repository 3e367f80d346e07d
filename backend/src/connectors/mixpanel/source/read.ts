import { setTimeout as delay } from 'node:timers/promises';
import type { RecordPage, RecordSample, SourceCursor, SourceRecord } from '../../kit/conversion-source.js';
import type { ConnectorContext, Day } from '../../kit/contract.js';
import { addDays, listDays } from '../../kit/days.js';
import { CorruptAnswer, FixSettings } from '../../kit/errors.js';
import { fieldsOf } from '../../kit/records/record-fields.js';
import { toSample } from '../../kit/records/read-meter.js';
import { DayNotBegun, type DayQuery, type MixpanelApi } from '../api.js';
import { verifyRegion } from '../region.js';
import { DayEvents, type DayLimits } from './day-events.js';
import { toSourceError } from './errors.js';
import { ProjectClock } from './project-clock.js';
import type { SourceSettings } from './settings.js';

/** Exports of one day in one read. A truncated export is usually complete the next time. */
const ATTEMPTS_PER_DAY = 3;
/** A sample reads this many days one by one, newest first, and then once a longer time. */
const SAMPLE_DAYS = 3;
const LONG_SAMPLE_DAYS = 30;
const SAMPLE_EVENTS = 1_000;
/** Our clock may be ahead of Mixpanel's by a little. */
const CLOCK_TOLERANCE_MS = 5 * 60_000;

export interface ReaderParts {
  api: MixpanelApi;
  settings: SourceSettings;
  now(): Date;
  /** Pause between two exports. */
  pauseMs: number;
  limits: DayLimits;
}

/** Where a read stands. It begins again `overlapDays` before the day on which the last complete one began, never before `since`. */
interface Progress {
  beganOn: Day;
  /** The next day to read. Null: the read was complete. */
  nextDay: Day | null;
}

/** Reads whole days of the raw export. */
export class ExportReader {
  private readonly parts: ReaderParts;
  private readonly clock: ProjectClock;
  private isRegionVerified = false;
  private hasExported = false;

  constructor(parts: ReaderParts) {
    this.parts = parts;
    this.clock = new ProjectClock(parts.settings.timeZone);
  }

  async *read(context: ConnectorContext, cursor: SourceCursor | null, since: Date): AsyncGenerator<RecordPage> {
    const today = this.clock.dayOf(this.parts.now());
    const { from, beganOn } = this.begin(progressOf(cursor), since, today);
    for (const day of listDays(from, today)) {
      const events = await this.readDay(context, day);
      if (!events) break;
      await this.assertRegion(context, events);
      for (const page of events.pages(this.clock)) yield { ...page, cursor: null };
      yield { records: [], bytes: 0, cursor: { beganOn, nextDay: addDays(day, 1) } };
    }
    yield { records: [], bytes: 0, cursor: { beganOn, nextDay: null } };
  }

  /** Costs one export for each day. */
  async sample(context: ConnectorContext, limit: number): Promise<RecordSample> {
    const today = this.clock.dayOf(this.parts.now());
    const days = listDays(addDays(today, 1 - SAMPLE_DAYS), today).reverse();
    const records: SourceRecord[] = [];
    for (const day of days) {
      if (records.length > limit) break;
      records.push(...(await this.sampleDays(context, { from: day, to: day })));
    }
    const end = addDays(today, -SAMPLE_DAYS);
    if (records.length === 0)
      records.push(...(await this.sampleDays(context, { from: addDays(end, -LONG_SAMPLE_DAYS), to: end })));
    records.sort((one, other) => (timeOf(one) < timeOf(other) ? 1 : -1));
    return toSample(records, fieldsOf(records), limit);
  }

  private begin(progress: Progress | null, since: Date, today: Day): { from: Day; beganOn: Day } {
    if (progress?.nextDay) return { from: progress.nextDay, beganOn: progress.beganOn };
    const first = this.clock.dayOf(since);
    const overlap = progress ? addDays(progress.beganOn, -this.parts.settings.overlapDays) : first;
    return { from: overlap > first ? overlap : first, beganOn: today };
  }

  /** Null: the day has not begun at Mixpanel. */
  private async readDay(context: ConnectorContext, day: Day): Promise<DayEvents | null> {
    try {
      return await this.exportCompletely(context, { from: day, to: day });
    } catch (error) {
      if (!(error instanceof DayNotBegun)) throw error;
      this.assertClock(day);
      return null;
    }
  }

  private async sampleDays(context: ConnectorContext, range: Pick<DayQuery, 'from' | 'to'>): Promise<SourceRecord[]> {
    try {
      const events = await this.exportCompletely(context, { ...range, limit: SAMPLE_EVENTS });
      await this.assertRegion(context, events);
      return [...events.pages(this.clock)].flatMap(({ records }) => records);
    } catch (error) {
      if (!(error instanceof DayNotBegun)) throw error;
      this.assertClock(range.to);
      return [];
    }
  }

  private async exportCompletely(context: ConnectorContext, query: Omit<DayQuery, 'event'>): Promise<DayEvents> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.exportOnce(context, query);
      } catch (error) {
        if (!(error instanceof CorruptAnswer) || attempt === ATTEMPTS_PER_DAY) throw toSourceError(error);
      }
    }
  }

  private async exportOnce(context: ConnectorContext, query: Omit<DayQuery, 'event'>): Promise<DayEvents> {
    const { api, settings, limits, pauseMs } = this.parts;
    if (this.hasExported) await delay(pauseMs, undefined, { signal: context.signal });
    this.hasExported = true;
    const events = new DayEvents(settings.eventName, limits);
    for await (const line of api.exportDays(context, { ...query, event: settings.eventName })) events.add(line);
    return events;
  }

  /** An export without events can be one of another region. */
  private async assertRegion(context: ConnectorContext, events: DayEvents): Promise<void> {
    if (this.isRegionVerified) return;
    if (events.count === 0) await verifyRegion(this.parts.api, context, this.parts.now());
    this.isRegionVerified = true;
  }

  /** If the day began here longer ago than clocks differ, the project has another clock than the settings. */
  private assertClock(day: Day): void {
    const now = this.parts.now();
    const isJustBegun = this.clock.dayOf(new Date(now.getTime() - CLOCK_TOLERANCE_MS)) < day;
    if (isJustBegun) return;
    throw new FixSettings({
      code: 'mixpanel.project_clock',
      message: `In this Mixpanel project, ${day} has not begun yet, so its days are not those of ${this.parts.settings.timeZone ?? 'UTC'}.`,
      action: 'Enter the time zone of the project settings in Mixpanel as the time zone of a project from before 2023',
    });
  }
}

const timeOf = (record: SourceRecord): string => String(record['properties.time']);

function progressOf(cursor: SourceCursor | null): Progress | null {
  const { beganOn, nextDay } = cursor ?? {};
  return typeof beganOn === 'string' ? { beganOn, nextDay: typeof nextDay === 'string' ? nextDay : null } : null;
}
