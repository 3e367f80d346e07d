import { expect, it } from 'vitest';
import { InvalidFile, parseFile } from './parse-file';

it.each([
  ['{\n  "a": 1,\n  "b": oops\n}', 'This is not a JSON file: see line 3'],
  ['{\n  "a": 1,\n  "b": "x\n}', 'This is not a JSON file: see line 3'],
  ['no JSON', 'This is not a JSON file: see line 1'],
])('names the line of an error', (text, message) => {
  expect(() => parseFile(text)).toThrow(new InvalidFile(message));
});

it('returns the content of a JSON file', () => {
  expect(parseFile('{"version": 1}')).toEqual({ version: 1 });
});
