import type { Member } from '~/api/types';

/** Maximum number of names. */
const NAMED = 2;

/** `Requires the Owner role: ask owner@example.com` */
export function whoCanPay(disabledReason: string, members: Pick<Member, 'role' | 'email' | 'fullName'>[]): string {
  const owners = members.filter(({ role }) => role === 'owner').map(({ fullName, email }) => fullName || email);
  if (owners.length === 0 || !/owner/i.test(disabledReason)) return disabledReason;
  const named = owners.slice(0, NAMED).join(' or ');
  return `${disabledReason}: ask ${named}${owners.length > NAMED ? ` or ${owners.length - NAMED} more` : ''}`;
}
