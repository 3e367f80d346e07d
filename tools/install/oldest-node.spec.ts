import { expect, it } from 'vitest';
import { isTooOld } from './oldest-node.mjs';

it.each([
  ['linux', '18.20.8', true],
  ['linux', '20.0.0', false],
  ['win32', '20.11.1', false],
  ['darwin', '20.19.0', true],
  ['darwin', '22.17.1', true],
  ['darwin', '22.18.0', false],
  ['darwin', '24.0.0', false],
])('on %s, Node %s is too old: %s', (platform, version, expected) => {
  expect(isTooOld(version, platform)).toBe(expected);
});
