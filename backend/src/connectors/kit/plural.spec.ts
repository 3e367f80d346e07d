import { expect, it } from 'vitest';
import { plural } from './plural.js';

it.each([
  [0, '0 rows'],
  [1, '1 row'],
  [1_006, '1,006 rows'],
])('%i is "%s"', (count, text) => expect(plural(count, 'row')).toBe(text));
