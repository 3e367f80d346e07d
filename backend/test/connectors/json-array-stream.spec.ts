import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CorruptAnswer } from '../../src/connectors/kit/errors.js';
import { splitJsonArray } from '../../src/connectors/kit/json-array-stream.js';

/** The text as a network might deliver it: cut anywhere, also inside a character. */
async function* cut(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text, 'utf8');
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

async function split(text: string, size = 7): Promise<unknown[]> {
  const elements: unknown[] = [];
  for await (const element of splitJsonArray(cut(text, size))) elements.push(JSON.parse(element));
  return elements;
}

it.each(['', '  ', '[', '[{"a":1}', '[{"a":1},', '[{"a":[1,2}', '{"a":1', '[{"a":"x'])(
  'refuses %j, which ended too early',
  async (text) => {
    await expect(split(text)).rejects.toBeInstanceOf(CorruptAnswer);
  },
);

it.each(['<html></html>', '[1,2]', '[{}]{}', '[{}]]', 'null'])('refuses %j, which is no list of objects', async (text) => {
  await expect(split(text)).rejects.toBeInstanceOf(CorruptAnswer);
});

it('takes a plain object for a list of one: so errors are answered', async () => {
  expect(await split('\n{"error":{"code":401}}\n')).toEqual([{ error: { code: 401 } }]);
});

it('is not misled by brackets, quotes and backslashes within text', async () => {
  const elements = [{ text: 'a ] } " \\ [ {' }, { text: '\\"' }, { text: '\\\\' }, {}];
  expect(await split(JSON.stringify(elements), 1)).toEqual(elements);
});

it('gives back whatever was a list of objects, however it is cut', async () => {
  const list = fc.array(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()));
  await fc.assert(
    fc.asyncProperty(list, fc.integer({ min: 1, max: 50 }), async (elements, size) => {
      const plain: unknown = JSON.parse(JSON.stringify(elements));
      expect(await split(JSON.stringify(elements, null, 1), size)).toEqual(plain);
    }),
    { numRuns: 200 },
  );
});

it('gives an element as soon as it is there', async () => {
  const iterator = splitJsonArray(
    (async function* () {
      yield Buffer.from('[{"first":1},{"sec');
      throw new Error('the second part is not waited for');
    })(),
  );
  expect((await iterator.next()).value).toBe('{"first":1}');
});
