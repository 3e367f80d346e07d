import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { assertBounded, type JsonBounds } from './json-bounds.js';

const ANY: JsonBounds = { levels: Infinity, fields: Infinity, items: Infinity, values: Infinity };

interface Size {
  levels: number;
  fields: number;
  items: number;
}

function sizeOf(value: unknown): Size {
  if (value === null || typeof value !== 'object') return { levels: 0, fields: 0, items: 0 };
  const inner = Object.values(value).map(sizeOf);
  const own = Math.max(1, inner.length);
  const isList = Array.isArray(value);
  return {
    levels: 1 + Math.max(0, ...inner.map(({ levels }) => levels)),
    fields: Math.max(isList ? 0 : own, ...inner.map(({ fields }) => fields)),
    items: Math.max(isList ? own : 0, ...inner.map(({ items }) => items)),
  };
}

const isAccepted = (text: string, bounds: Partial<JsonBounds>): boolean => {
  try {
    assertBounded(Buffer.from(text), { ...ANY, ...bounds });
    return true;
  } catch {
    return false;
  }
};

describe('the size of a JSON text', () => {
  it('is the same before and after parsing, for any strings', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6, depthSize: 'large', stringUnit: 'binary' }), (text) => {
        const size = sizeOf(JSON.parse(text));
        for (const key of ['levels', 'fields', 'items'] as const) {
          expect(isAccepted(text, { [key]: size[key] })).toBe(true);
          // An empty list counts as one entry, so a bound below one is not tested.
          if (size[key] > (key === 'levels' ? 0 : 1)) expect(isAccepted(text, { [key]: size[key] - 1 })).toBe(false);
        }
      }),
    );
  });

  it('is also limited for invalid JSON, without an exception', () => {
    for (const text of ['', '"', '"\\', ']]]]', '}{', ',,,,', '[1,2', '{"a', '\\'.repeat(1_000)])
      expect(isAccepted(text, {})).toBe(true);
    expect(isAccepted(',,,,', { values: 3 })).toBe(false);
  });
});
