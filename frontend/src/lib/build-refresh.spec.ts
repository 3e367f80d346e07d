import { describe, expect, test } from 'vitest';
import { afterNavigation, afterPoll, buildIn } from './build-refresh';

const facts = { ownBuild: 'old', latestBuild: 'new', offeredBuild: null, hasTypedInput: false };

describe('after asking for the latest build', () =>
  test.each([
    ['the server did not answer', { ...facts, latestBuild: null }, 'nothing'],
    ['it serves what runs here', { ...facts, latestBuild: 'old' }, 'nothing'],
    ['it serves a newer one', facts, 'offer'],
    ['the newer one was offered before', { ...facts, offeredBuild: 'new' }, 'nothing'],
    ['a still newer one appeared', { ...facts, offeredBuild: 'newer' }, 'offer'],
    ['something is typed: it is offered, never forced', { ...facts, hasTypedInput: true }, 'offer'],
  ])('%s', (_, given, step) => expect(afterPoll(given)).toBe(step)));

describe('after going to another page', () =>
  test.each([
    ['nothing newer is known', { ...facts, latestBuild: null }, 'nothing'],
    ['what runs is the newest', { ...facts, latestBuild: 'old' }, 'nothing'],
    ['a newer one is served', facts, 'reload'],
    ['something typed still stands on the page', { ...facts, hasTypedInput: true }, 'nothing'],
  ])('%s', (_, given, step) => expect(afterNavigation(given)).toBe(step)));

test.each([[null], ['text'], [{}], [{ build: 7 }], [{ build: '' }]])('%j names no build', (body) =>
  expect(buildIn(body)).toBeNull(),
);
test('the file of the server names one', () => expect(buildIn({ build: 'a1b2' })).toBe('a1b2'));
