import { expect, test } from 'vitest';
import { whyNotLogo } from './read-logo';

test.each([
  [{ type: 'image/svg+xml', size: 10 }, 'Choose a PNG, JPEG or WebP image.'],
  [{ type: '', size: 10 }, 'Choose a PNG, JPEG or WebP image.'],
  [{ type: 'image/png', size: 200_001 }, 'This image has 201 kB. Choose one with at most 200 kB.'],
  [{ type: 'image/png', size: 200_000 }, null],
])('validates %j: %s', (file, reason) => expect(whyNotLogo(file)).toBe(reason));
