import { setTimeout as wait } from 'node:timers/promises';
import { compareRows, type Difference } from './compare-rows.js';
import type { Injection, Strike } from './injections.js';
import { daysAgo, nameOf, type Pair, RESTATED } from './pairs.js';
import { endQuotaPauses, newestRuns } from './runs.js';
import type { Scene } from './scene.js';
import { rowsOfPair } from './stored-rows.js';

const LONGEST_MS = 240_000;
/** Runs of a connection in one round. The first may end without success, because a fault lasted longer than its retries. */
const MOST_RUNS = 8;

export interface PairDifference extends Difference {
  pair: string;
  stream: string;
}

export interface RoundResult {
  recoveries: { kind: string; seconds: number }[];
  /** Rows that differ although the newest run succeeded. */
  differences: PairDifference[];
  /** Pairs whose run succeeded although the destination differs. */
  falseGreen: string[];
  stuck: string[];
  runs: number;
}

/** Changes past days at the platforms, runs all pairs while faults happen, and compares every row afterwards. */
export async function performRound(
  scene: Scene,
  pairs: Pair[],
  inject: (injection: Injection) => Promise<void>,
  { random, most, beforeComparison }: { random: () => number; most: number; beforeComparison?: () => Promise<void> },
): Promise<RoundResult> {
  for (const { path, parameter, accountId } of new Set(pairs.map(({ source }) => source)))
    await scene.admin('faults', {
      ...{ provider: path, fault: 'restate', [parameter]: accountId },
      ...{ from: daysAgo(RESTATED.from), to: daysAgo(RESTATED.to) },
    });
  const since = Date.now();
  for (const { connectionId } of pairs) await scene.call('POST', `/connections/${connectionId}/run`);
  const strikes: Strike[] = [];
  const isOver = async () => (await newestRuns(scene)).every(({ endedAt }) => endedAt !== null);
  const strike = (kind: string, connections: string[], endedAt = Date.now()) => strikes.push({ kind, connections, endedAt });
  const watch = new RunWatch(scene, pairs, since);
  const [stuck] = await Promise.all([watch.untilGreen(), inject({ scene, pairs, random, most, strike, isOver })]);
  await beforeComparison?.();
  const greenPairs = pairs.filter((pair) => watch.greenAt.has(pair.connectionId));
  const differences = (await Promise.all(greenPairs.map((pair) => differencesOf(scene, pair)))).flat();
  return {
    recoveries: strikes.map(({ kind, connections, endedAt }) => ({
      kind,
      seconds: recoverySeconds(watch.greenAt, connections, endedAt),
    })),
    differences,
    falseGreen: [...new Set(differences.map(({ pair }) => pair))],
    stuck,
    runs: watch.runs,
  };
}

/** Until the last of the connections is verified again; 0 if a connection was verified before the fault ended. */
function recoverySeconds(greenAt: Map<string, number>, connections: string[], faultEndedAt: number): number {
  const ends = connections.map((id) => greenAt.get(id) ?? Number.POSITIVE_INFINITY);
  return Math.max(0, Math.max(...ends) - faultEndedAt) / 1_000;
}

export async function differencesOf(scene: Pick<Scene, 'admin' | 'queryWarehouse'>, pair: Pair): Promise<PairDifference[]> {
  const streams = await rowsOfPair(scene, pair);
  return streams.flatMap(({ stream, wanted, found }) => {
    if (wanted.length === 0) throw new Error(`${nameOf(pair)}, ${stream}: the source has no rows to compare`);
    return compareRows(wanted, found).map((difference) => ({ pair: nameOf(pair), stream, ...difference }));
  });
}

/** Waits until a run of every pair has succeeded. Runs that end otherwise are started again, as a user or the schedule does. */
class RunWatch {
  /** When the run of each connection succeeded. */
  readonly greenAt = new Map<string, number>();
  runs = 0;
  private readonly counts = new Map<string, number>();

  private readonly scene: Scene;
  private readonly pairs: Pair[];
  private readonly since: number;

  constructor(scene: Scene, pairs: Pair[], since: number) {
    this.scene = scene;
    this.pairs = pairs;
    this.since = since;
  }

  /** Returns the pairs that did not succeed in time. */
  async untilGreen(): Promise<string[]> {
    const seen = new Set<string>();
    let failures = new Map<string, string | null>();
    while (this.greenAt.size < this.pairs.length && Date.now() < this.since + LONGEST_MS) {
      await endQuotaPauses(this.scene);
      const runs = await newestRuns(this.scene);
      failures = new Map(runs.map(({ connectionId, state, failure }) => [connectionId, `${state}: ${failure}`]));
      for (const { connectionId, runId, state, endedAt } of runs) {
        if (!endedAt || seen.has(runId) || endedAt.getTime() < this.since) continue;
        seen.add(runId);
        this.runs += 1;
        if (state === 'succeeded') this.greenAt.set(connectionId, endedAt.getTime());
        else await this.runAgain(connectionId);
      }
      await wait(150);
    }
    const left = this.pairs.filter(({ connectionId }) => !this.greenAt.has(connectionId));
    return left.map((pair) => `${nameOf(pair)} (${failures.get(pair.connectionId)})`);
  }

  private async runAgain(connectionId: string): Promise<void> {
    const count = (this.counts.get(connectionId) ?? 1) + 1;
    this.counts.set(connectionId, count);
    if (count <= MOST_RUNS) await this.scene.call('POST', `/connections/${connectionId}/run`);
  }
}
