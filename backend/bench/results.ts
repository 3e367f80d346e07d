import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Figure, floorText, measuredText, printTable, type Verdict, wantedText } from './figures.ts';

/** In the order in which they run. */
export const PARTS = ['load', 'limits', 'runs', 'jobs', 'conversions', 'api', 'connections', 'web', 'start'] as const;
type Part = (typeof PARTS)[number];
export type Result = Figure & { part: Part; verdict: Verdict };

/** Ignored by git: figures of one machine. */
const RESULTS = path.join(import.meta.dirname, 'results.json');

/** The lines of the table in docs/performance.md: the start of the names of their figures, by part. */
const LINES: { line: string; part: Part; figures: string }[] = [
  { line: 'API: list of 10 apps', part: 'api', figures: 'list of 10 apps' },
  { line: 'API: list of 10 connections', part: 'api', figures: 'list of 10 connections' },
  { line: 'API: memory', part: 'api', figures: 'API memory' },
  { line: 'engine: first load', part: 'load', figures: 'first load' },
  { line: 'engine: same days again', part: 'load', figures: 'same days again' },
  { line: 'engine: event loop', part: 'load', figures: 'longest stall' },
  { line: 'engine: memory by rows', part: 'load', figures: 'worker memory' },
  { line: 'list among many connections', part: 'connections', figures: 'list of' },
  { line: 'one run', part: 'runs', figures: '' },
  { line: 'queue', part: 'jobs', figures: '' },
  { line: 'conversions', part: 'conversions', figures: '' },
  { line: 'web: /login', part: 'web', figures: '/login' },
  { line: 'web: list of connections', part: 'web', figures: 'list of connections' },
  { line: 'make start', part: 'start', figures: '' },
];

/** Lines of the table that no part measures, with the reason. */
const NOT_MEASURED: Record<string, string> = {
  'worker memory, 10 M rows': 'takes several minutes: MEMORY_ROWS=10000000 node bench/all.ts load',
};

export function readResults(folder: string): Result[] {
  return PARTS.flatMap((part) => {
    const file = path.join(folder, `${part}.jsonl`);
    if (!existsSync(file)) return [];
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    return lines.map((line) => ({ part, ...(JSON.parse(line) as Figure & { verdict: Verdict }) }));
  });
}

/** The figures beside their floors, and those that were not measured. */
export function printOverview(results: Result[]): void {
  const rows = LINES.flatMap(({ line, part, figures }) =>
    results
      .filter((result) => result.part === part && result.what.startsWith(figures))
      .map((result) => [line, result.what, measuredText(result), floorText(result), wantedText(result), result.verdict]),
  );
  console.log('');
  printTable(['', 'figure', 'measured', 'floor', 'wanted', ''], rows);
  const missing = LINES.filter(({ part, figures }) => !results.some((one) => one.part === part && one.what.startsWith(figures)));
  if (missing.length > 0) console.log(`\nnot measured in this run: ${missing.map(({ line }) => line).join('; ')}`);
  for (const [line, reason] of Object.entries(NOT_MEASURED)) console.log(`not measured: ${line} (${reason})`);
}

/** @param loadAtStart of the machine over a minute: above 0.5, other programs took part in the figures */
export function writeResults(results: Result[], loadAtStart: number): void {
  const machine = { cores: os.availableParallelism(), model: os.cpus()[0]?.model, node: process.version, loadAtStart };
  const content = { measuredAt: new Date().toISOString(), machine, figures: results, notMeasured: NOT_MEASURED };
  writeFileSync(RESULTS, `${JSON.stringify(content, null, 2)}\n`);
  console.log(`\nWritten to ${path.relative(process.cwd(), RESULTS)}`);
}
