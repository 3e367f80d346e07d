/** node bench/all.ts: runs every benchmark after the other, also after one that missed a target. Ends with 1 if any of them did. */
import { spawnSync } from 'node:child_process';

for (const name of ['load', 'limits', 'runs', 'api']) {
  const { status } = spawnSync(process.execPath, ['--import', './bench/resolve-source.mjs', `bench/${name}.ts`], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = 1;
}
