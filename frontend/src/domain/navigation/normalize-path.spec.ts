import { describe, expect, test } from 'vitest';
import { hasValidIds, normalizePath } from './normalize-path';
import { patterns } from './paths';

const O = '0198f3a2-7c41-7d0e-8000-00000000000a';
const I = '0198f3a2-7c41-7d0e-8000-00000000000b';

describe('the path of the same page', () =>
  test.each([
    ['/addSource/', '/addSource'],
    ['/ADDSOURCE', '/addSource'],
    ['/googlereauth', '/googleReauth'],
    ['/sourcesettings//', '/SourceSettings'],
    ['/signup', '/signUp'],
    ['//login', '/login'],
    [`/${O}/connection/`, `/${O}/connection`],
    [`/${O.toUpperCase()}/Connection/${I.toUpperCase()}/Configuration`, `/${O}/connection/${I}/configuration`],
    [`/${O}/googleads`, `/${O}/GoogleAds`],
    [`/${O}/App/Connect/`, `/${O}/app/connect`],
    [`/${O}/destination/new/configuration/`, `/${O}/destination/new/configuration`],
  ])('%s → %s', (given, expected) => expect(normalizePath(given)).toBe(expected)));

test('keeps paths that are spelled as their route, and paths without a page', () => {
  const paths = Object.values(patterns).map((pattern) => pattern.replace(':organizationId', O).replace(':id', I));
  expect(paths.map(normalizePath)).toEqual(paths);
  for (const path of ['/nowhere/', `/${O}/Conections`, '/A/b/c/d/e/f/']) expect(normalizePath(path)).toBe(path);
});

test('keeps a path after it was normalized once', () => {
  for (const path of ['/ADDSOURCE//', `/${O}/App/`, `/${O}/x/`])
    expect(normalizePath(normalizePath(path))).toBe(normalizePath(path));
});

describe('ids', () => {
  test.each([
    '/northwind/connection',
    `/${O}/connection/1/configuration`,
    `/${O}/app/one`,
    `/${O}/acceptInvitation/abc`,
    `/northwind/acceptInvitation/${I}`,
    `/${O}/connection/new/configuration`,
    '/northwind/destination/new/configuration',
    `/${O}x/connection`,
  ])('%s has an invalid id', (path) => expect(hasValidIds(path)).toBe(false));
  test.each([
    '/',
    '/login',
    '/nowhere',
    `/${O}/connection/${I}/test1`,
    `/${O}/app/connect`,
    `/${O}/destination/new/configuration`,
  ])('%s has none', (path) => expect(hasValidIds(path)).toBe(true));
});
