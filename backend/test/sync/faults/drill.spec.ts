import { afterAll, expect, it } from 'vitest';
import { DrillProcess } from '../../drill-process.js';

const drill = new DrillProcess();

afterAll(() => drill.stop());

it('a short drill with each kind of fault loses, duplicates and blocks nothing, and no pair is green while it differs', async () => {
  // Other tests use the processors at the same time, so only `make drill` measures how fast a run recovers.
  const { code, output } = await drill.run({ FAULTS: '24', RECOVERY_SECONDS: '120' });
  expect(output).toMatch(/rows lost +0 +0\n/);
  expect(output).toMatch(/rows duplicated +0 +0\n/);
  expect(output).toMatch(/rows changed or moved +0 +0\n/);
  expect(output).toMatch(/runs stuck +0 +0\n/);
  expect(output).toMatch(/green while different +0 +0\n/);
  for (const kind of [
    'worker killed',
    'worker frozen',
    'database restarted',
    'COMMIT of our database',
    'COMMIT of the warehouse',
  ])
    expect(output).toContain(kind);
  expect({ code, output }).toMatchObject({ code: 0 });
});
