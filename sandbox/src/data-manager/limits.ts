import type { Clock } from '../clock.ts';
import { InvalidFault } from '../faults.ts';
import { quotaExceeded } from './errors.ts';

/**
 * The published limits of a project, and how long events are processed. Google publishes no duration, only that the status should
 * first be requested after 30 minutes. Tests may change all of them.
 */
export const defaultSettings = { requestsPerMinute: 300, requestsPerDay: 100_000, processingSeconds: 1_200 };
export type Settings = typeof defaultSettings;

const minuteMs = 60_000;
/** Daily quotas of Google APIs end at midnight Pacific time. */
const quotaTimeZone = 'America/Los_Angeles';

export class Limits {
  readonly #clock: Clock;
  /** By 'project kind': times of the last minute's calls. */
  readonly #minutes = new Map<string, number[]>();
  readonly #days = new Map<string, { day: number; calls: number }>();
  settings: Settings = { ...defaultSettings };

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  set(given: Record<string, unknown>): void {
    for (const [name, value] of Object.entries(given)) {
      if (!Object.hasOwn(defaultSettings, name)) throw new InvalidFault(`Unknown setting ${name}`, { known: defaultSettings });
      if (typeof value !== 'number' || !Number.isInteger(value) || value < 0)
        throw new InvalidFault(`${name} must be a whole number`);
    }
    this.settings = { ...this.settings, ...(given as Partial<Settings>) };
  }

  /** Reads and writes are counted separately. Rejected calls do not count. */
  count(projectNumber: string, kind: 'Read' | 'Write'): void {
    const key = `${projectNumber} ${kind}`;
    const { requestsPerMinute, requestsPerDay } = this.settings;
    const now = this.#clock.now().getTime();
    const minute = (this.#minutes.get(key) ?? []).filter((at) => at > now - minuteMs);
    const day = this.#clock.today(quotaTimeZone);
    const today = this.#days.get(key);
    const calls = today?.day === day ? today.calls : 0;
    const name = `IngestionService${kind}Requests`;
    if (minute.length >= requestsPerMinute)
      throw quotaExceeded({ name: `${name}PerMinutePerProject`, unit: 'per minute', value: requestsPerMinute }, projectNumber);
    if (calls >= requestsPerDay)
      throw quotaExceeded({ name: `${name}PerDayPerProject`, unit: 'per day', value: requestsPerDay }, projectNumber);
    this.#minutes.set(key, [...minute, now]);
    this.#days.set(key, { day, calls: calls + 1 });
  }
}
