import { Injectable } from '@nestjs/common';
import { Cursor, sortValues } from '../core/database/cursor.js';
import { Database } from '../core/database/database.js';
import { notFound } from '../core/http/problem.js';
import type { UserEntry, UserPage, UsersQuery } from './staff-users.dto.js';
import type { Me } from './users.dto.js';

// SQL: pages that continue after a pair of e-mail and uid.

/** The stored user. `hasSecondFactor` describes the current sign-in and comes from the token. */
type SavedPerson = Omit<Me, 'hasSecondFactor'>;

const RECORD = { uid: true, email: true, isEmailVerified: true, fullName: true, photoURL: true, role: true } as const;
const ENTRY = {
  ...RECORD,
  createdAt: true,
  lastSeenAt: true,
  disabledAt: true,
  disabledReason: true,
  disabledNote: true,
} as const;

const CURSOR = new Cursor<[email: string, uid: string]>('users', sortValues.text, sortValues.text);

@Injectable()
export class UsersQueries {
  constructor(private readonly database: Database) {}

  async findUser(uid: string): Promise<SavedPerson | null> {
    return this.database.prisma.user.findUnique({ where: { uid }, select: RECORD });
  }

  /** For platform staff. Filters by part of the e-mail. Two users may have the same e-mail. */
  async listUsers({ email = '', cursor, limit }: UsersQuery): Promise<UserPage> {
    const [afterEmail, afterUid] = CURSOR.decode(cursor) ?? [null, null];
    const { rows } = await this.database.pool.query<UserEntry>(
      `select uid, email, is_email_verified as "isEmailVerified", full_name as "fullName", photo_url as "photoURL", role,
              created_at as "createdAt", last_seen_at as "lastSeenAt", disabled_at as "disabledAt",
              disabled_reason as "disabledReason", disabled_note as "disabledNote"
         from users
        where position(lower($1) in email) > 0 and ($2::text is null or (email, uid) > ($2, $3::text))
        order by email, uid limit $4`,
      [email.trim(), afterEmail, afterUid, limit + 1],
    );
    return CURSOR.toPage(rows, limit, (user) => [user.email, user.uid]);
  }

  async getUserEntry(uid: string): Promise<UserEntry> {
    const user = await this.database.prisma.user.findUnique({ where: { uid }, select: ENTRY });
    if (!user) throw notFound('The user');
    return user;
  }
}
