import type { Member } from '~/api/types';

/** More names than this are no help. */
const NAMED = 2;

/** `Needs an owner: ask owner@example.com` */
export function whoCanPay(disabledReason: string, members: Pick<Member, 'role' | 'email' | 'fullName'>[]): string {
  const owners = members.filter(({ role }) => role === 'owner').map(({ fullName, email }) => fullName || email);
  if (owners.length === 0 || !disabledReason.includes('owner')) return disabledReason;
  const named = owners.slice(0, NAMED).join(' or ');
  return `${disabledReason}: ask ${named}${owners.length > NAMED ? ` or ${owners.length - NAMED} more` : ''}`;
}
