/** How long each test file took: where the time of `make test` goes. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inRepository } from '../repository.ts';

export interface FileTime {
  file: string;
  /** Duration with loading and hooks, in milliseconds. */
  ms: number;
}

const SLOW_FILES = 10;
const SUFFIX = '-files.json';

/** Where the times of a suite are written, slowest file first. */
export const fileTimesFile = (suite: string): string => inRepository('.tmp', 'reports', suite + SUFFIX);

export const writeFileTimes = (suite: string, times: FileTime[]): void => saveFileTimes(fileTimesFile(suite), times);

export function saveFileTimes(target: string, times: FileTime[]): void {
  const slowestFirst = times.toSorted((a, b) => b.ms - a.ms);
  writeFileSync(target, `[\n${slowestFirst.map((time) => `  ${JSON.stringify(time)}`).join(',\n')}\n]\n`);
}

/** The times of all suites that have run, by suite. */
export function readFileTimes(folder = inRepository('.tmp', 'reports')): Record<string, FileTime[]> {
  const files = globSync(`*${SUFFIX}`, { cwd: folder });
  const read = (file: string) => JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as FileTime[];
  return Object.fromEntries(files.map((file) => [file.slice(0, -SUFFIX.length), read(file)]));
}

/** The slowest files of all suites, for the summary. */
export function describeSlowFiles(times: Record<string, FileTime[]>): string[] {
  const all = Object.entries(times).flatMap(([suite, files]) => files.map((time) => ({ suite, ...time })));
  const slowest = all.toSorted((a, b) => b.ms - a.ms).slice(0, SLOW_FILES);
  if (slowest.length === 0) return [];
  const describe = ({ suite, file, ms }: (typeof all)[number]) =>
    `${String(Math.round(ms / 1000)).padStart(6)} s  ${suite}: ${file}`;
  return ['slowest files (all: .tmp/reports/*-files.json):', ...slowest.map(describe)];
}

interface PlaywrightSuite {
  specs?: { file: string; tests: { results: { duration: number }[] }[] }[];
  suites?: PlaywrightSuite[];
}

/** The sum of the tests of each file, which can run at the same time. */
export function readPlaywrightTimes({ suites = [] }: { suites?: PlaywrightSuite[] }): FileTime[] {
  const times = new Map<string, number>();
  const add = ({ specs = [], suites: inner = [] }: PlaywrightSuite): void => {
    for (const { file, tests } of specs)
      for (const { duration } of tests.flatMap(({ results }) => results)) times.set(file, (times.get(file) ?? 0) + duration);
    inner.forEach(add);
  };
  suites.forEach(add);
  return [...times].map(([file, ms]) => ({ file, ms }));
}
