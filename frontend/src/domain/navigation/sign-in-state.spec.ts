import { expect, test } from 'vitest';
import { readStateHint } from './sign-in-state';

const tokenOf = (claims: unknown) =>
  `eyJhbGciOiJIUzI1NiJ9.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`;

test('what is no token says nothing', () => {
  for (const state of ['', 'made-up', 'a.b.c', 'a..c', tokenOf('text'), tokenOf(null)])
    expect(readStateHint(state)).toEqual({ organizationId: null, appId: null });
});

test('a token says whose organization and app it is about', () => {
  expect(readStateHint(tokenOf({ organizationId: 'o', appId: 'a?~ÿ', sub: 'u' }))).toEqual({
    organizationId: 'o',
    appId: expect.any(String) as string,
  });
  expect(readStateHint(tokenOf({ organizationId: 'o', appId: 7 }))).toEqual({ organizationId: 'o', appId: null });
});
