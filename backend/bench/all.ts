/**
 * node bench/all.ts [--smoke] [name of a part, ...]: runs the benchmarks one after the other, also after a missed target. Exits
 * with 1 if any target was missed. With --smoke each runs once with the smallest size, and only one that fails counts.
 */
import { spawnSync } from 'node:child_process';

const PARTS = ['load', 'limits', 'runs', 'conversions', 'api', 'connections'];
const isSmoke = process.argv.includes('--smoke');
const named = process.argv.slice(2).filter((parameter) => !parameter.startsWith('--'));
const unknown = named.filter((name) => !PARTS.includes(name));
if (unknown.length > 0) throw new Error(`unknown benchmark: ${unknown.join(', ')}. Choose from ${PARTS.join(', ')}`);

for (const name of named.length > 0 ? named : PARTS) {
  const { status } = spawnSync(process.execPath, ['--import', './bench/resolve-source.mjs', `bench/${name}.ts`], {
    stdio: 'inherit',
    env: isSmoke ? { ...process.env, SMOKE: 'true' } : process.env,
  });
  if (status !== 0) process.exitCode = 1;
}
