import { expect, test } from 'vitest';
import { isMissingChunk, mayReload } from './reload-guard';

test('rejects a second reload within 10 seconds', () => {
  expect(mayReload(100_000, 109_999)).toBe(false);
  expect(mayReload(100_000, 110_000)).toBe(true);
  expect(mayReload(null, 0)).toBe(true);
});

test('detects only a failed script import as a missing chunk', () => {
  expect(isMissingChunk(new TypeError('Failed to fetch dynamically imported module: /assets/a.js'))).toBe(true);
  expect(isMissingChunk(new TypeError('error loading dynamically imported module'))).toBe(true);
  expect(isMissingChunk(new TypeError('Importing a module script failed.'))).toBe(true);
  expect(isMissingChunk(new TypeError('Failed to fetch'))).toBe(false);
  expect(isMissingChunk('text')).toBe(false);
});
