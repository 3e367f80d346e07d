import { expect, test } from 'vitest';
import { whyNotLogo } from './read-logo';

test.each([
  [{ type: 'image/svg+xml', size: 10 }, 'Only PNG, JPEG and WebP pictures.'],
  [{ type: '', size: 10 }, 'Only PNG, JPEG and WebP pictures.'],
  [{ type: 'image/png', size: 200_001 }, 'This picture has 201 kB; at most 200 kB.'],
  [{ type: 'image/png', size: 200_000 }, null],
])('%j: %s', (file, reason) => expect(whyNotLogo(file)).toBe(reason));
