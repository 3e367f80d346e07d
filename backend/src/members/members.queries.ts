import { Injectable } from '@nestjs/common';
import type { Actor } from '../access/index.js';
import { Cursor, sortValues } from '../core/database/cursor.js';
import { LIST_LIMITS } from '../core/http/limits.js';
import type { PageQuery } from '../core/http/page.dto.js';
import { notFound } from '../core/http/problem.js';
import { TenantDatabase } from '../core/database/tenant-database.js';
import type { Member, MemberPage } from './members.dto.js';

// SQL: pages that continue after a pair of e-mail and id, with the name of the inviter.

type MemberRow = Omit<Member, 'joinedAt' | 'lastActiveAt'> & { joinedAt: Date; lastActiveAt: Date | null };

const SELECT = `
  select m.user_id as "userId", u.email, u.is_email_verified as "isEmailVerified", u.full_name as "fullName", u.photo_url as "photoURL", m.role, m.joined_at as "joinedAt",
         u.last_seen_at as "lastActiveAt", inviter.email as "invitedBy", m.user_id = $2 as "isYou",
         u.disabled_at is not null as "isDisabled"
    from members m
    join users u on u.uid = m.user_id
    left join users inviter on inviter.uid = m.invited_by
   where m.organization_id = $1`;

const CURSOR = new Cursor<[email: string, userId: string]>('members', sortValues.text, sortValues.text);

@Injectable()
export class MembersQueries {
  constructor(private readonly tenants: TenantDatabase) {}

  /** Sorted by e-mail. */
  async listMembers(actor: Actor, query: PageQuery): Promise<MemberPage> {
    const [email, userId] = CURSOR.decode(query.cursor) ?? [null, null];
    const rows = await this.tenants.query<MemberRow>(
      actor.organizationId,
      `${SELECT} and ($3::text is null or (u.email, m.user_id) > ($3, $4::text)) order by u.email, m.user_id limit $5`,
      [actor.uid, email, userId, query.limit + 1],
    );
    return CURSOR.toPage(rows.map(toMember), query.limit, (member) => [member.email, member.userId]);
  }

  /** The specified endpoint is not paginated. */
  async listTeam(actor: Actor): Promise<Member[]> {
    const { items } = await this.listMembers(actor, { limit: LIST_LIMITS.members });
    return items;
  }

  async getMember(actor: Actor, userId: string): Promise<Member> {
    const [row] = await this.tenants.query<MemberRow>(actor.organizationId, `${SELECT} and m.user_id = $3`, [actor.uid, userId]);
    if (!row) throw notFound('The member');
    return toMember(row);
  }
}

const toMember = (row: MemberRow): Member => ({
  ...row,
  joinedAt: row.joinedAt.toISOString(),
  lastActiveAt: row.lastActiveAt?.toISOString() ?? null,
});
