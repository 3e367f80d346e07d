import { setTimeout as delay } from 'node:timers/promises';
import type { ConnectorContext } from './contract.js';

/** Usage of Meta's limits, from the headers of an answer. */
export interface Usage {
  /** The highest of all percentages. */
  usedPercent: number;
  /** Seconds until calls are allowed again, or until the score is reset; null: not reported. */
  regainSeconds: number | null;
}

const SLOW_FROM_PERCENT = 75;
const LONGEST_PAUSE_MS = 20_000;

const headerNames = ['x-app-usage', 'x-ad-account-usage', 'x-fb-ads-insights-throttle', 'x-business-use-case-usage'];
const percentNames = new Set(['call_count', 'total_cputime', 'total_time', 'acc_id_util_pct', 'app_id_util_pct']);

/** All answers, including errors, should have these headers. Null if they are missing or unreadable. */
export function readUsage(headers: Headers): Usage | null {
  const numbers = headerNames.flatMap((name) => numbersOf(parse(headers.get(name))));
  if (numbers.length === 0) return null;
  const percents = numbers.filter(([name]) => percentNames.has(name)).map(([, value]) => value);
  const minutes = numbers.filter(([name]) => name === 'estimated_time_to_regain_access').map(([, value]) => value);
  const usedPercent = Math.min(100, Math.max(0, ...percents));
  const regain = Math.max(0, ...minutes) * 60;
  const reset = numbers.find(([name]) => name === 'reset_time_duration')?.[1] ?? null;
  return { usedPercent, regainSeconds: regain > 0 ? regain : usedPercent >= SLOW_FROM_PERCENT ? reset : null };
}

/** Pause in milliseconds before the next call, to stay below the limit; 0 below 75 percent. */
export function pauseMs({ usedPercent }: Usage): number {
  if (usedPercent < SLOW_FROM_PERCENT) return 0;
  const share = (usedPercent - SLOW_FROM_PERCENT) / (100 - SLOW_FROM_PERCENT);
  return Math.round(250 + share * share * (LONGEST_PAUSE_MS - 250));
}

/** Throws the abort reason when the run is stopped. */
export async function pause(context: Pick<ConnectorContext, 'signal'>, milliseconds: number): Promise<void> {
  try {
    await delay(milliseconds, undefined, { signal: context.signal });
  } catch (error) {
    throw context.signal.aborted ? context.signal.reason : error;
  }
}

/** All numbers of a JSON value with their names. The use cases are nested by account. */
function numbersOf(value: unknown): [name: string, value: number][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]): [string, number][] =>
    typeof inner === 'number' ? [[name, inner]] : numbersOf(inner),
  );
}

function parse(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
