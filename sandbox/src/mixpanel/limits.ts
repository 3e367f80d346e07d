import type { Clock } from '../clock.ts';
import { InvalidFault } from '../faults.ts';
import { MixpanelError } from './errors.ts';

/** Mixpanel's published limits per project. Tests may change them. */
export const publishedLimits = { exportsPerHour: 60, exportsPerSecond: 3, queriesPerHour: 60, concurrentQueries: 5 };
export type LimitName = keyof typeof publishedLimits;

const hourMs = 3_600_000;

export class Limits {
  readonly #clock: Clock;
  /** By 'kind projectId': times of the last hour's calls. */
  readonly #calls = new Map<string, number[]>();
  readonly #underWay = new Map<string, number>();
  values: Record<LimitName, number> = { ...publishedLimits };

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  set(given: Record<string, unknown>): void {
    for (const [name, value] of Object.entries(given)) {
      if (!Object.hasOwn(publishedLimits, name)) throw new InvalidFault(`Unknown limit ${name}`, { known: publishedLimits });
      if (typeof value !== 'number' || !Number.isInteger(value) || value < 0)
        throw new InvalidFault(`${name} must be a whole number`);
    }
    this.values = { ...this.values, ...(given as Partial<Record<LimitName, number>>) };
  }

  /** Rejected calls do not count. */
  countExport(projectId: string): void {
    const calls = this.#recent('export', projectId);
    const now = this.#clock.now().getTime();
    if (calls.length >= this.values.exportsPerHour) throw tooMany('60 queries per hour');
    if (calls.filter((at) => at > now - 1_000).length >= this.values.exportsPerSecond) throw tooMany('3 queries per second');
    calls.push(now);
  }

  /** Returns a function to call at the end of the query. */
  countQuery(projectId: string): () => void {
    const calls = this.#recent('query', projectId);
    if (calls.length >= this.values.queriesPerHour) throw tooMany('60 queries per hour');
    const underWay = this.#underWay.get(projectId) ?? 0;
    if (underWay >= this.values.concurrentQueries) throw tooMany('5 concurrent queries');
    calls.push(this.#clock.now().getTime());
    this.#underWay.set(projectId, underWay + 1);
    return () => this.#underWay.set(projectId, (this.#underWay.get(projectId) ?? 1) - 1);
  }

  #recent(kind: string, projectId: string): number[] {
    const now = this.#clock.now().getTime();
    const calls = (this.#calls.get(`${kind} ${projectId}`) ?? []).filter((at) => at > now - hourMs);
    this.#calls.set(`${kind} ${projectId}`, calls);
    return calls;
  }
}

function tooMany(limit: string): MixpanelError {
  return new MixpanelError(429, `Query rate limit exceeded: a project is allowed ${limit}. Please try again later.`);
}
