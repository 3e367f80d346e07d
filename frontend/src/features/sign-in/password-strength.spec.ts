import { expect, test } from 'vitest';
import { strengthOf } from './password-strength';

test.each([
  ['', ''],
  ['roof1', 'Too short'],
  ['aaaaaaaaaaaaaaaa', 'Weak'],
  ['abcdef', 'Weak: use 10 or more characters'],
  ['Sommer24!', 'Weak: use 10 or more characters'],
  ['Sommer2024', 'Good'],
  ['three small rivers meet', 'Strong'],
])('rates %j as %j', (password, word) => expect(strengthOf(password).word).toBe(word));
