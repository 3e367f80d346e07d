import { expect, test } from 'vitest';
import { readStateHint } from './sign-in-state';

const tokenOf = (claims: unknown) =>
  `eyJhbGciOiJIUzI1NiJ9.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`;

test('returns an empty hint for an invalid token', () => {
  for (const state of ['', 'made-up', 'a.b.c', 'a..c', tokenOf('text'), tokenOf(null)])
    expect(readStateHint(state)).toEqual({ organizationId: null, appId: null });
});

test('reads the organization and the app from the token', () => {
  expect(readStateHint(tokenOf({ organizationId: 'o', appId: 'a?~ÿ', sub: 'u' }))).toEqual({
    organizationId: 'o',
    appId: expect.any(String) as string,
  });
  expect(readStateHint(tokenOf({ organizationId: 'o', appId: 7 }))).toEqual({ organizationId: 'o', appId: null });
});
