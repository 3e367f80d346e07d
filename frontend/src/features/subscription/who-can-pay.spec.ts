import { expect, test } from 'vitest';
import { whoCanPay } from './who-can-pay';

const owner = (fullName: string) => ({ role: 'owner' as const, fullName, email: 'owner@example.com' });
const editor = { role: 'editor' as const, fullName: 'Editor', email: 'editor@example.com' };

test.each([
  ['shows only the reason to platform staff', 'Support access is read-only', [owner('Owner')], 'Support access is read-only'],
  ['shows only the role while members are loading', 'Requires the Owner role', [], 'Requires the Owner role'],
  ['names a single owner', 'Requires the Owner role', [editor, owner('Owner')], 'Requires the Owner role: ask Owner'],
  [
    'shows the email address of an owner without a name',
    'Requires the Owner role',
    [owner('')],
    'Requires the Owner role: ask owner@example.com',
  ],
  [
    'names at most two owners',
    'Requires the Owner role',
    [owner('A'), owner('B'), owner('C')],
    'Requires the Owner role: ask A or B or 1 more',
  ],
])('%s', (_name, disabledReason, members, words) => expect(whoCanPay(disabledReason, members)).toBe(words));
