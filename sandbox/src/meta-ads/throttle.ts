import type { Fault } from '../faults.ts';
import { throttled, type GraphError } from './errors.ts';
import { numberOf } from './faults.ts';

/** Allowed points and their decay time: full access to the Marketing API. */
const scoreLimit = 9_000;
const decaySeconds = 300;

interface Score {
  points: number;
  atMs: number;
}

/** Counts calls like Meta: a read is one point, a write three. Points decay. */
export class Throttle {
  readonly #scores = new Map<string, Score>();

  /** Usage percentages after another call, as in its answer's headers. */
  count(accountId: string | undefined, isWrite: boolean, load: Fault | undefined): Usage {
    const points = isWrite ? 3 : 1;
    const app = this.#add('app', points);
    const account = accountId === undefined ? 0 : this.#add(accountId, points);
    const floor = load ? numberOf(load, 'percent', 90) : 0;
    return { appPercent: Math.max(floor, app), accountPercent: Math.max(floor, account) };
  }

  #add(name: string, points: number): number {
    const score = this.#scores.get(name) ?? { points: 0, atMs: Date.now() };
    const forgiven = ((Date.now() - score.atMs) / 1_000 / decaySeconds) * scoreLimit;
    score.points = Math.max(0, score.points - forgiven) + points;
    score.atMs = Date.now();
    this.#scores.set(name, score);
    return Math.min(100, Math.ceil((score.points / scoreLimit) * 100));
  }
}

export interface Usage {
  appPercent: number;
  accountPercent: number;
}

/** Business use cases, each with its own limit. */
export type UseCase = 'ads_insights' | 'ads_management';

const tier = 'standard_access';

/** In every answer, including errors. Values are percentages, times are in minutes. */
export function usageHeaders(
  { appPercent, accountPercent }: Usage,
  accountId: string | undefined,
  waitMinutes: number,
  useCase: UseCase,
): Record<string, string> {
  const app = {
    'x-app-usage': JSON.stringify({
      call_count: appPercent,
      total_cputime: Math.floor(appPercent / 2),
      total_time: Math.floor(appPercent / 3),
    }),
  };
  if (accountId === undefined) return app;
  const usage = {
    type: useCase,
    call_count: accountPercent,
    total_cputime: Math.floor(accountPercent / 2),
    total_time: Math.floor(accountPercent / 3),
    estimated_time_to_regain_access: waitMinutes,
    ads_api_access_tier: tier,
  };
  return {
    ...app,
    ...(useCase === 'ads_insights' && {
      'x-fb-ads-insights-throttle': JSON.stringify({
        app_id_util_pct: appPercent,
        acc_id_util_pct: accountPercent,
        ads_api_access_tier: tier,
      }),
    }),
    'x-ad-account-usage': JSON.stringify({
      acc_id_util_pct: accountPercent,
      reset_time_duration: decaySeconds,
      ads_api_access_tier: tier,
    }),
    'x-business-use-case-usage': JSON.stringify({ [accountId]: [usage] }),
  };
}

/** Why a call is throttled, and for how long. */
export function throttleProblem(
  usage: Usage,
  fault: Fault | undefined,
  useCase: UseCase,
): { error: GraphError; waitMinutes: number } | null {
  const error = throttled(useCase === 'ads_insights' ? 80_000 : 80_004);
  if (fault) return { error, waitMinutes: numberOf(fault, 'waitMinutes', 1) };
  return usage.accountPercent >= 100 ? { error, waitMinutes: Math.ceil(decaySeconds / 60) } : null;
}
