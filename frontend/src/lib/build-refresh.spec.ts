import { describe, expect, test } from 'vitest';
import { afterNavigation, afterPoll, buildIn } from './build-refresh';

const facts = { ownBuild: 'old', latestBuild: 'new', offeredBuild: null, hasUnsavedInput: false };

describe('after a request for the latest build', () =>
  test.each([
    ['does nothing without an answer', { ...facts, latestBuild: null }, 'nothing'],
    ['does nothing when the build is the same', { ...facts, latestBuild: 'old' }, 'nothing'],
    ['offers a newer build', facts, 'offer'],
    ['does not offer the same build twice', { ...facts, offeredBuild: 'new' }, 'nothing'],
    ['offers a build newer than the offered one', { ...facts, offeredBuild: 'newer' }, 'offer'],
    ['offers a newer build while there is unsaved input', { ...facts, hasUnsavedInput: true }, 'offer'],
  ])('%s', (_, given, step) => expect(afterPoll(given)).toBe(step)));

describe('after navigation to another page', () =>
  test.each([
    ['does nothing when the latest build is unknown', { ...facts, latestBuild: null }, 'nothing'],
    ['does nothing when the build is the latest', { ...facts, latestBuild: 'old' }, 'nothing'],
    ['reloads for a newer build', facts, 'reload'],
    ['does not reload while there is unsaved input', { ...facts, hasUnsavedInput: true }, 'nothing'],
  ])('%s', (_, given, step) => expect(afterNavigation(given)).toBe(step)));

test.each([[null], ['text'], [{}], [{ build: 7 }], [{ build: '' }]])('finds no build in %j', (body) =>
  expect(buildIn(body)).toBeNull(),
);
test('reads the build from latest.json', () => expect(buildIn({ build: 'a1b2' })).toBe('a1b2'));
