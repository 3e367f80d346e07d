import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { differOnlyInHash, hashLines } from '../../../src/connectors/kit/rows/hashed-columns.js';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('lines with hashed cells', () => {
  it.each([
    ['the first', [true, false, false], `${sha256('a')}\tb\tc\n`],
    ['the last', [false, false, true], `a\tb\t${sha256('c')}\n`],
    ['none', [false, false, false], 'a\tb\tc\n'],
  ])('hash %s', (_which, isHashed, expected) => {
    expect(hashLines(Buffer.from('a\tb\tc\n'), isHashed).toString()).toBe(expected);
  });

  it('hash the text without its escapes, empty text too, and keep NULL', () => {
    const lines = Buffer.from('tab\\there\t1\n\\N\t2\n\t3\nö\t4\n');
    expect(hashLines(lines, [true, false]).toString()).toBe(
      `${sha256('tab\there')}\t1\n\\N\t2\n${sha256('')}\t3\n${sha256('ö')}\t4\n`,
    );
    expect(hashLines(Buffer.alloc(0), [true])).toHaveLength(0);
  });
});

it('two identities of a column differ only in hashing if the column is the same', () => {
  expect(differOnlyInHash('7', '7#sha256')).toBe(true);
  expect(differOnlyInHash('7#sha256', '7')).toBe(true);
  expect(differOnlyInHash('7', '8#sha256')).toBe(false);
  expect(differOnlyInHash('7', '7')).toBe(false);
});
