import type { Prisma } from '../generated/prisma/client.js';
import { publishLive } from '../core/database/notifications.js';
import type { TenantQuery, TenantTransaction } from '../core/database/tenant-database.js';
import type { Role } from '../access/index.js';

/** False: the user is a member already. */
export async function addMember(transaction: TenantTransaction, member: Prisma.MemberCreateManyInput): Promise<boolean> {
  return (await transaction.member.createMany({ data: member, skipDuplicates: true })).count > 0;
}

export async function setMemberRole(transaction: TenantTransaction, userId: string, role: Role): Promise<void> {
  await transaction.member.updateMany({ where: { userId }, data: { role } });
}

export async function removeMember(transaction: TenantTransaction, userId: string): Promise<void> {
  await transaction.member.deleteMany({ where: { userId } });
}

/** Open browsers load the members and their own permissions again. */
export const publishMembers = (query: TenantQuery): Promise<void> =>
  publishLive(query, [{ connectionId: null, type: 'members', data: {} }]);
