import { expect, test } from 'vitest';
import { whoCanPay } from './who-can-pay';

const owner = (fullName: string) => ({ role: 'owner' as const, fullName, email: 'owner@example.com' });
const editor = { role: 'editor' as const, fullName: 'Editor', email: 'editor@example.com' };

test.each([
  [
    'a visitor is told only that',
    'You are looking in: nothing can be changed',
    [owner('Owner')],
    'You are looking in: nothing can be changed',
  ],
  ['members not known yet', 'Needs an owner', [], 'Needs an owner'],
  ['one owner by name', 'Needs an owner', [editor, owner('Owner')], 'Needs an owner: ask Owner'],
  ['without a name by e-mail', 'Needs an owner', [owner('')], 'Needs an owner: ask owner@example.com'],
  ['many in short', 'Needs an owner', [owner('A'), owner('B'), owner('C')], 'Needs an owner: ask A or B or 1 more'],
])('%s', (_name, disabledReason, members, words) => expect(whoCanPay(disabledReason, members)).toBe(words));
