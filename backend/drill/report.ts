import type { PairDifference, RoundResult } from './round.js';

export const TARGET_SECONDS = Number(process.env['RECOVERY_SECONDS'] ?? 30);
const MOST_NAMED = 20;

export interface Summary {
  rounds: RoundResult[];
  wantedFaults: number;
  seconds: number;
}

/** Prints the faults by kind, what went wrong, and the targets. Returns whether all are met. */
export function printReport({ rounds, wantedFaults, seconds }: Summary): boolean {
  const recoveries = rounds.flatMap((round) => round.recoveries);
  const kinds = [...new Set(recoveries.map(({ kind }) => kind))].sort();
  const secondsOf = (kind: string | null) =>
    recoveries.filter((one) => kind === null || one.kind === kind).map((one) => one.seconds).sort((left, right) => left - right); // prettier-ignore
  const line = (name: string, values: number[]) => [
    name,
    String(values.length),
    ...[0.5, 0.95, 1].map((share) => `${percentile(values, share).toFixed(1)} s`),
  ];
  printTable([
    ['fault', 'count', 'p50', 'p95', 'max'],
    ...kinds.map((kind) => line(kind, secondsOf(kind))),
    line('all', secondsOf(null)),
  ]);
  const differences = rounds.flatMap((round) => round.differences);
  const count = (...names: PairDifference['kind'][]) => differences.filter(({ kind }) => names.includes(kind)).length;
  const stuck = rounds.flatMap((round) => round.stuck);
  const figures: [string, number, number][] = [
    ['rows lost', count('lost'), 0],
    ['rows duplicated', count('duplicated'), 0],
    ['rows changed or moved', count('changed', 'moved'), 0],
    ['runs stuck', stuck.length, 0],
    ['green while different', rounds.reduce((sum, { falseGreen }) => sum + falseGreen.length, 0), 0],
    ['recovery p95, in seconds', percentile(secondsOf(null), 0.95), TARGET_SECONDS],
  ];
  console.log('');
  printTable([
    ['figure', 'measured', 'at most'],
    ...figures.map(([name, measured, most]) => [name, String(Math.round(measured * 10) / 10), String(most)]),
  ]);
  console.log(
    `\n${recoveries.length} faults in ${rounds.length} rounds, ${rounds.reduce((sum, { runs }) => sum + runs, 0)} runs, ${Math.round(seconds)} s`,
  );
  for (const { pair, stream, kind, date, key } of differences.slice(0, MOST_NAMED))
    console.log(`${kind}: ${pair}, ${stream}, ${date}, ${key}`);
  for (const pair of stuck) console.log(`stuck: ${pair}`);
  const hasEnough = recoveries.length >= wantedFaults;
  if (!hasEnough) console.log(`only ${recoveries.length} of ${wantedFaults} faults happened in time`);
  return hasEnough && figures.every(([, measured, most]) => measured <= most);
}

/** Of sorted values. */
function percentile(values: number[], share: number): number {
  return values[Math.max(0, Math.ceil(values.length * share) - 1)] ?? 0;
}

function printTable(rows: string[][]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows)
    console.log(row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  ')); // prettier-ignore
}
