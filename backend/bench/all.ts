/**
 * node bench/all.ts [--smoke] [name of a part, ...]: runs the benchmarks one after the other, also after a missed target. At the end
 * it prints one table and, after a run of all parts, writes results.json. Exits with 1 if a part failed or any target was missed. With
 * --smoke each runs once with the smallest size, and only one that fails counts.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PARTS, printOverview, readResults, writeResults } from './results.ts';

const isSmoke = process.argv.includes('--smoke');
const named = process.argv.slice(2).filter((parameter) => !parameter.startsWith('--'));
const unknown = named.filter((name) => !PARTS.some((part) => part === name));
if (unknown.length > 0) throw new Error(`unknown benchmark: ${unknown.join(', ')}. Choose from ${PARTS.join(', ')}`);

const folder = mkdtempSync(path.join(os.tmpdir(), 'tributary-results-'));
const load = os.loadavg()[0] ?? 0;
const parts = named.length > 0 ? named : PARTS;
for (const name of parts) {
  const { status } = spawnSync(process.execPath, ['--import', './bench/resolve-source.mjs', `bench/${name}.ts`], {
    stdio: 'inherit',
    env: { ...process.env, RESULTS_FILE: path.join(folder, `${name}.jsonl`), ...(isSmoke ? { SMOKE: 'true' } : {}) },
  });
  if (status !== 0) process.exitCode = 1;
}
const results = readResults(folder);
rmSync(folder, { recursive: true });
printOverview(results);
if (!isSmoke && named.length === 0) writeResults(results, load);
