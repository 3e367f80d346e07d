import { Injectable } from '@nestjs/common';
import type { Identity } from '../access/access.decorator.js';
import { Database } from '../platform/database.js';
import type { GetOrSaveUserBody } from './users.dto.js';

@Injectable()
export class UsersService {
  constructor(private readonly database: Database) {}

  /** Makes the caller's record at the first sign-in and keeps its e-mail current after; the name is only filled in once. */
  async save(identity: Identity, body: GetOrSaveUserBody): Promise<void> {
    const fullName = body.fullName?.trim() || identity.name || identity.email;
    const { email, isEmailVerified } = identity;
    const lastSeenAt = new Date();
    await this.database.prisma.user.upsert({
      where: { uid: identity.uid },
      create: { uid: identity.uid, email, isEmailVerified, fullName, photoURL: body.photoURL ?? identity.picture, lastSeenAt },
      update: { email, isEmailVerified, lastSeenAt },
    });
  }
}
