import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CorruptAnswer } from '../../src/connectors/kit/errors.js';
import { JsonArrayReader, splitJsonArray } from '../../src/connectors/kit/json-array-stream.js';

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

describe('a list taken out of each element', () => {
  /** Items whose text is even in length are taken by `scan`, the others are left to `parse`. */
  function take(text: string, size = 7): { elements: unknown[]; items: unknown[] } {
    const items: unknown[] = [];
    const reader = new JsonArrayReader({
      field: 'results',
      startList: () => undefined,
      scan: (bytes, from) => {
        const end = from + endOfObject(bytes.toString('latin1', from, bytes.indexOf(0, from)));
        if (end < from || (end - from) % 2 === 1) return -1;
        items.push(JSON.parse(bytes.toString('utf8', from, end)));
        return end;
      },
      parse: (item) => items.push(JSON.parse(item)),
    });
    const elements: unknown[] = [];
    const bytes = Buffer.from(text);
    for (let from = 0; from < bytes.length; from += size)
      elements.push(...reader.push(bytes.subarray(from, from + size)).map((element): unknown => JSON.parse(element)));
    reader.end();
    return { elements, items };
  }

  /** -1 when it is cut off. */
  function endOfObject(text: string): number {
    for (let end = text.indexOf('}') + 1; end > 0; end = text.indexOf('}', end) + 1) {
      try {
        JSON.parse(text.slice(0, end));
        return end;
      } catch {
        continue;
      }
    }
    return -1;
  }

  it.each([
    '[{"results":[{"a":1}',
    '[{"results":[{"a":1},]}]',
    '[{"results":[{"a":1}{"a":2}]}]',
    '[{"results":[,{"a":1}]}]',
    '[{"results":[1]}]',
    '[{"results":[{"a":1}]',
    '[{"results":',
  ])('refuses %j', (text) => {
    for (const size of [1, 7, 100]) expect(() => take(text, size)).toThrow(CorruptAnswer);
  });

  it('leaves the list in an element that begins with something else', () => {
    expect(take('[{"id":1,"results":[{"a":1}]},{"resultsOf":[{}]},{"results":null}]')).toEqual({
      elements: [{ id: 1, results: [{ a: 1 }] }, { resultsOf: [{}] }, { results: null }],
      items: [],
    });
  });

  it('gives every item once and in order, and the rest of the element, however it is cut and written', () => {
    const value = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue());
    const elements = fc.array(fc.tuple(fc.array(value), value));
    fc.assert(
      fc.property(elements, fc.integer({ min: 1, max: 60 }), fc.constantFrom(0, 1, '\t'), (list, size, indent) => {
        const whole = list.map(([results, rest]) => ({ results, ...withoutResults(rest) }));
        const plain = JSON.parse(JSON.stringify(whole)) as { results: unknown[] }[];
        const found = take(JSON.stringify(whole, null, indent), size);
        expect(found.items).toEqual(plain.flatMap(({ results }) => results));
        expect(found.elements).toEqual(plain.map((element) => ({ ...element, results: [] })));
      }),
      { numRuns: 300 },
    );
  });

  const withoutResults = ({ results: _, ...rest }: Record<string, unknown>) => rest;
});
