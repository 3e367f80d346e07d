/**
 * node bench/all.ts: runs all benchmarks one after the other, also after a missed target. Exits with 1 if any target was missed.
 */
import { spawnSync } from 'node:child_process';

for (const name of ['load', 'limits', 'runs', 'api']) {
  const { status } = spawnSync(process.execPath, ['--import', './bench/resolve-source.mjs', `bench/${name}.ts`], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = 1;
}
