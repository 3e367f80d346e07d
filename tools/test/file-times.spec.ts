import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { describeSlowFiles, readFileTimes, readPlaywrightTimes, saveFileTimes } from './file-times.ts';

it('reads the times of each suite, slowest file first', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'times-'));
  try {
    saveFileTimes(path.join(folder, 'backend-files.json'), [
      { file: 'a.spec.ts', ms: 10 },
      { file: 'b.spec.ts', ms: 20 },
    ]);
    saveFileTimes(path.join(folder, 'tools-files.json'), []);
    expect(readFileTimes(folder)).toEqual({
      backend: [
        { file: 'b.spec.ts', ms: 20 },
        { file: 'a.spec.ts', ms: 10 },
      ],
      tools: [],
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('lists the ten slowest files of all suites', () => {
  const files = Array.from({ length: 12 }, (_, number) => ({ file: `${number}.spec.ts`, ms: number * 1000 }));
  const lines = describeSlowFiles({ backend: files, browser: [{ file: 'pairs.spec.ts', ms: 90_400 }] });
  expect(lines).toHaveLength(11);
  expect(lines.slice(1, 3)).toEqual(['    90 s  browser: pairs.spec.ts', '    11 s  backend: 11.spec.ts']);
  expect(describeSlowFiles({ backend: [] })).toEqual([]);
});

it('adds up the attempts of the tests of a browser file', () => {
  const spec = (file: string, ...durations: number[]) => ({
    file,
    tests: [{ results: durations.map((duration) => ({ duration })) }],
  });
  const suites = [{ specs: [spec('a.spec.ts', 5, 7)], suites: [{ specs: [spec('a.spec.ts', 1), spec('b.spec.ts', 2)] }] }];
  expect(readPlaywrightTimes({ suites })).toEqual([
    { file: 'a.spec.ts', ms: 13 },
    { file: 'b.spec.ts', ms: 2 },
  ]);
});
