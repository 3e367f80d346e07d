import { expect, test } from 'vitest';
import { strengthOf } from './password-strength';

test.each([
  ['', ''],
  ['roof1', 'Too short'],
  ['aaaaaaaaaaaaaaaa', 'Weak'],
  ['abcdef', 'Weak'],
  ['Sommer24', 'Good'],
  ['three small rivers meet', 'Strong'],
])('%j is %j', (password, word) => expect(strengthOf(password).word).toBe(word));
