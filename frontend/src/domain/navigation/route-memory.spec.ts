import { expect, test } from 'vitest';
import { endsFlow } from './route-memory';

test.each([
  ['/o/connection', true],
  ['/o/connection/', true],
  ['/o/conversion', true],
  ['/o/app', true],
  ['/o/app/connect', false],
  ['/o/createConnection', false],
  ['/o/connection/1/configuration', false],
  ['/o/GoogleAds', false],
  ['/addSource', false],
  ['/connection', false],
])('opening %s ends the flow: %j', (pathname, expected) => expect(endsFlow(pathname)).toBe(expected));
