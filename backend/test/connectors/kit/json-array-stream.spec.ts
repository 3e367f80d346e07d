import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { CorruptAnswer } from '../../../src/connectors/kit/errors.js';
import { JsonArrayReader, splitJsonArray } from '../../../src/connectors/kit/json/json-array-stream.js';

/** The text in network packets: split anywhere, also inside a character. */
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
  'rejects %j, which is truncated',
  async (text) => {
    await expect(split(text)).rejects.toBeInstanceOf(CorruptAnswer);
  },
);

it.each(['<html></html>', '[1,2]', '[{}]{}', '[{}]]', 'null'])('rejects %j, which is not a list of objects', async (text) => {
  await expect(split(text)).rejects.toBeInstanceOf(CorruptAnswer);
});

it('reads a plain object as a list of one, the format of errors', async () => {
  expect(await split('\n{"error":{"code":401}}\n')).toEqual([{ error: { code: 401 } }]);
});

it('handles brackets, quotes and backslashes in text', async () => {
  const elements = [{ text: 'a ] } " \\ [ {' }, { text: '\\"' }, { text: '\\\\' }, {}];
  expect(await split(JSON.stringify(elements), 1)).toEqual(elements);
});

it('returns all objects of a list, however it is split', async () => {
  const list = fc.array(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()));
  await fc.assert(
    fc.asyncProperty(list, fc.integer({ min: 1, max: 50 }), async (elements, size) => {
      const plain: unknown = JSON.parse(JSON.stringify(elements));
      expect(await split(JSON.stringify(elements, null, 1), size)).toEqual(plain);
    }),
    { numRuns: 200 },
  );
});

it('yields an element as soon as it is complete', async () => {
  const iterator = splitJsonArray(
    (async function* () {
      yield Buffer.from('[{"first":1},{"sec');
      throw new Error('the second part must not be read');
    })(),
  );
  expect((await iterator.next()).value).toBe('{"first":1}');
});

describe('a list extracted from each element', () => {
  /** `scan` accepts items with text of even length; the others go to `parse`. */
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

  /** -1 if it is truncated. */
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
  ])('rejects %j', (text) => {
    for (const size of [1, 7, 100]) expect(() => take(text, size)).toThrow(CorruptAnswer);
  });

  it('leaves the list in an element that begins with another field', () => {
    expect(take('[{"id":1,"results":[{"a":1}]},{"resultsOf":[{}]},{"results":null}]')).toEqual({
      elements: [{ id: 1, results: [{ a: 1 }] }, { resultsOf: [{}] }, { results: null }],
      items: [],
    });
  });

  it('yields every item once, in order, and the rest of the element, in any split and formatting', () => {
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
