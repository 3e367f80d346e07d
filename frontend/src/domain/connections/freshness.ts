import type { Tone } from './connection-state';

interface Target {
  atTime: string;
  timeZone: string;
  daysAfter: number;
}

type FreshnessState = 'on_time' | 'recovered' | 'complete' | 'waiting' | 'late' | 'incomplete';

/** Word and tone of each state of a day. */
export const freshnessTable: Record<FreshnessState, { word: string; tone: Tone }> = {
  on_time: { word: 'Complete, on time', tone: 'good' },
  recovered: { word: 'Complete, after its deadline', tone: 'good' },
  complete: { word: 'Complete', tone: 'good' },
  waiting: { word: 'Not due yet', tone: 'accent' },
  late: { word: 'Late', tone: 'danger' },
  incomplete: { word: 'Incomplete', tone: 'warn' },
};

/** `Yesterday must be complete by 09:00, Europe/Berlin.` */
export const describeTarget = ({ atTime, timeZone, daysAfter }: Target): string =>
  daysAfter === 1
    ? `Yesterday must be complete by ${atTime}, ${timeZone}.`
    : `Each day must be complete ${daysAfter} days later by ${atTime}, ${timeZone}.`;

interface Day {
  state: FreshnessState;
  isComplete: boolean;
}

/** Text equivalent of a strip: `12 of 14 days complete, 1 late` */
export function describeDays(days: Day[]): string {
  const complete = days.filter(({ isComplete }) => isComplete).length;
  const late = days.filter(({ state }) => state === 'late').length;
  return `${complete} of ${days.length} ${days.length === 1 ? 'day' : 'days'} complete${late > 0 ? `, ${late} late` : ''}`;
}
