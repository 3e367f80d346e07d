import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stampSources } from './build-stamp.ts';

let root: string;
const file = (name: string) => path.join(root, name);
const stamp = () => stampSources(root, ['src', 'package.json', 'absent.json']);

beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'build-stamp-'));
  mkdirSync(file('src/deep/node_modules'), { recursive: true });
  writeFileSync(file('src/a.ts'), 'one');
  writeFileSync(file('src/deep/b.ts'), 'two');
  writeFileSync(file('package.json'), '{}');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('stampSources', () => {
  it.each<[string, () => void]>([
    ['a file is saved', () => utimesSync(file('src/deep/b.ts'), new Date(), new Date(Date.now() + 1000))],
    ['the content of a file changes', () => writeFileSync(file('src/a.ts'), 'longer')],
    ['a file is added', () => writeFileSync(file('src/new.ts'), '')],
    ['a file is removed', () => rmSync(file('src/a.ts'))],
    ['a file is renamed', () => renameSync(file('src/a.ts'), file('src/z.ts'))],
    ['a missing file is created', () => writeFileSync(file('absent.json'), '{}')],
  ])('changes when %s', (_case, change) => {
    const before = stamp();
    change();
    expect(stamp()).not.toBe(before);
  });

  it('does not change when only installed packages or generated files change', () => {
    const before = stamp();
    writeFileSync(file('src/deep/node_modules/c.js'), 'x');
    writeFileSync(file('src/metadata.ts'), 'generated');
    expect(stamp()).toBe(before);
  });
});
