import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inRepository } from '../repository.ts';

const threatModel = readFileSync(inRepository('docs', 'threat-model.md'), 'utf8');
const asvs = readFileSync(inRepository('docs', 'asvs.md'), 'utf8');
const rows = [...asvs.matchAll(/^\| (\d+\.\d+\.\d+) +\| (.+?) +\| (.+?) +\| (.+?) +\|$/gm)];

/** Requirements of levels 1 and 2 in each chapter of ASVS 5.0.0. */
const REQUIREMENTS = [27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7];
const FOLDERS = ['backend', 'frontend', 'sandbox', 'tools', 'docs', 'deploy', 'prisma', '.github'];

/** The documents contain paths relative to the repository, to backend/ or to backend/src. */
const exists = (name: string): boolean =>
  existsSync(inRepository(name)) ||
  (!FOLDERS.includes(name.split('/')[0]!) && ['backend', 'backend/src'].some((folder) => existsSync(inRepository(folder, name))));

const filesIn = (text: string): string[] =>
  [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)+)`/g)].map(([, name]) => name!).filter((name) => !/^v\d/.test(name));

/** Names of tests that a document quotes after the name of their file. */
const quotedTests = (text: string): [file: string, name: string][] =>
  [...text.matchAll(/`([\w./-]+\.spec\.ts)`((?:,? "[^"]+")+)/g)].flatMap(([, file, names]) =>
    [...names!.matchAll(/"([^"]+)"/g)].map(([, name]): [string, string] => [file!, name!]),
  );

function read(name: string): string {
  const path = ['', 'backend', 'backend/src'].map((folder) => inRepository(folder, name)).find((file) => existsSync(file));
  return path ? readFileSync(path, 'utf8') : '';
}

describe.each([
  ['docs/threat-model.md', threatModel],
  ['docs/asvs.md', asvs],
])('%s', (_name, text) => {
  it('names files that exist', () => {
    expect(filesIn(text).length).toBeGreaterThan(50);
    expect(filesIn(text).filter((name) => !exists(name))).toEqual([]);
  });

  it('contains no placeholders', () => {
    expect(text.match(/.*TBD-.*/g)).toBeNull();
  });

  it('quotes tests that exist', () => {
    expect(quotedTests(text).length).toBeGreaterThan(5);
    expect(quotedTests(text).filter(([file, name]) => !read(file).includes(name))).toEqual([]);
  });
});

describe('docs/asvs.md', () => {
  it('lists every requirement of levels 1 and 2 once', () => {
    const ids = rows.map(([, id]) => id!);
    expect(new Set(ids).size).toBe(ids.length);
    const counts = REQUIREMENTS.map((_count, index) => ids.filter((id) => id.startsWith(`${index + 1}.`)).length);
    expect(counts).toEqual(REQUIREMENTS);
  });

  it('contains a status and a reason for each requirement', () => {
    for (const [, id, , status, reason] of rows) {
      expect({ id, status }).toEqual({ id, status: expect.stringMatching(/^(met|not met|n\/a)$/) });
      expect({ id, reason }).toEqual({ id, reason: expect.stringMatching(/\S{2}/) });
    }
  });

  it('contains correct sums for each chapter', () => {
    for (let chapter = 1; chapter <= REQUIREMENTS.length; chapter++) {
      const [, ...sums] = new RegExp(`^\\| V${chapter} [^|]+\\| +(\\d+) \\| +(\\d+) \\| +(\\d+) \\|$`, 'm').exec(asvs)!;
      const count = (status: string) => rows.filter(([, id, , is]) => id!.startsWith(`${chapter}.`) && is === status).length;
      expect({ chapter, sums }).toEqual({ chapter, sums: ['met', 'not met', 'n/a'].map((status) => String(count(status))) });
    }
  });
});
