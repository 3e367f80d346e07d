import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clearKeptInput, keepInputOf } from './kept-input';

const DRAFT = 'draft:connection:1';

/** As in browsers, the keys of the storage are its own properties. */
class StoredItems {
  [key: string]: unknown;
  getItem = (key: string) => this[key] ?? null;
  setItem(key: string, value: string): void {
    this[key] = value;
  }
  removeItem(key: string): void {
    Reflect.deleteProperty(this, key);
  }
}

let stored: StoredItems;
beforeEach(() => {
  stored = new StoredItems();
  vi.stubGlobal('localStorage', stored);
});
afterEach(() => vi.unstubAllGlobals());

test('keeps drafts for the same user, and deletes them for another one', () => {
  keepInputOf('u1');
  stored.setItem(DRAFT, '{}');
  stored.setItem('theme', 'dark');
  keepInputOf('u1');
  expect(stored.getItem(DRAFT)).toBe('{}');
  keepInputOf('u2');
  expect(stored.getItem(DRAFT)).toBeNull();
  expect(stored.getItem('theme')).toBe('dark');
});

test('deletes drafts, recent items and the last page at a sign-out', () => {
  keepInputOf('u1');
  for (const key of [DRAFT, 'palette:1', 'lastRoute']) stored.setItem(key, '[]');
  clearKeptInput();
  expect([DRAFT, 'palette:1', 'lastRoute'].map((key) => stored.getItem(key))).toEqual([null, null, null]);
});
