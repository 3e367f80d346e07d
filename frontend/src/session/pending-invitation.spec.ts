import { expect, test } from 'vitest';
import { parsePendingInvitation, pathOfInvitation } from './pending-invitation';

const A = '0198f3a2-7c41-7d0e-8000-00000000000a';
const B = '0198f3a2-7c41-7d0e-8000-00000000000b';

test.each([
  [null],
  [''],
  [A],
  [`${A}/connection`],
  [`//evil.example/${A}/${B}`],
  [`${A}/${B}/to ken`],
  [`${A}/${B}/../../login`],
  [`${A}/${B}/${'a'.repeat(201)}`],
])('rejects %j', (text) => expect(parsePendingInvitation(text)).toBeNull());

test('reads two ids, with and without the token of the email', () => {
  const bare = parsePendingInvitation(`${A}/${B}`);
  expect(bare && pathOfInvitation(bare)).toBe(`/${A}/acceptInvitation/${B}`);
  const mailed = parsePendingInvitation(`${A}/${B}/to-Ken_1`);
  expect(mailed && pathOfInvitation(mailed)).toBe(`/${A}/acceptInvitation/${B}?token=to-Ken_1`);
});
