import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database.js';
import type { Me } from './users.dto.js';

/** What the database knows; how this sign-in was made is known from the token alone. */
type SavedPerson = Omit<Me, 'hasSecondFactor'>;

@Injectable()
export class UsersQueries {
  constructor(private readonly database: Database) {}

  async findUser(uid: string): Promise<SavedPerson | null> {
    const { rows } = await this.database.pool.query<SavedPerson>(
      `select uid, email, is_email_verified as "isEmailVerified", full_name as "fullName", photo_url as "photoURL", role
         from users where uid = $1`,
      [uid],
    );
    return rows[0] ?? null;
  }
}
