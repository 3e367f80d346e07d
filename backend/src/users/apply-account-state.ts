import { Injectable } from '@nestjs/common';
import { Database } from '../core/database/database.js';
import type { AccountState } from './account-states.js';
import { type DisabledReason, UserAccess } from './user-access.service.js';

/** The stored profile fields that the identity provider may change. */
export interface KnownPerson {
  uid: string;
  isDisabled: boolean;
  disabledReason: DisabledReason | null;
  tokensValidAfter: Date | null;
}

const KNOWN = { uid: true, disabledAt: true, disabledReason: true, tokensValidAfter: true } as const;

export const wouldDisable = (person: KnownPerson, account: AccountState): boolean =>
  !person.isDisabled && account.standing !== 'active';

/** Updates stored users to match their accounts at the identity provider. */
@Injectable()
export class ApplyAccountState {
  constructor(
    private readonly database: Database,
    private readonly access: UserAccess,
  ) {}

  async findPerson(uid: string): Promise<KnownPerson | null> {
    const user = await this.database.prisma.user.findUnique({ where: { uid }, select: KNOWN });
    return user && toPerson(user);
  }

  /** Uids of other enabled users. */
  async findOthers(uid: string, limit: number): Promise<string[]> {
    const users = await this.database.prisma.user.findMany({
      where: { uid: { not: uid }, disabledAt: null },
      orderBy: { uid: 'asc' },
      take: limit,
      select: { uid: true },
    });
    return users.map((user) => user.uid);
  }

  /** Returns one batch of all users, ordered by uid. */
  async findPeopleAfter(uid: string, limit: number): Promise<KnownPerson[]> {
    const users = await this.database.prisma.user.findMany({
      where: { uid: { gt: uid } },
      orderBy: { uid: 'asc' },
      take: limit,
      select: KNOWN,
    });
    return users.map(toPerson);
  }

  /** Writes nothing when nothing has changed, which is the usual case. */
  async apply(person: KnownPerson, account: AccountState): Promise<void> {
    if (!hasChanged(person, account)) return;
    const { uid } = person;
    await this.database.write(async (transaction, query) => {
      const work = { transaction, query };
      if (account.standing === 'active') await this.access.enable(work, uid);
      else await this.access.disable(work, uid, reasonOf(account.standing));
      if (account.tokensValidAfter) await this.access.revokeTokens(work, uid, account.tokensValidAfter);
    });
  }
}

const toPerson = ({ disabledAt, ...user }: Omit<KnownPerson, 'isDisabled'> & { disabledAt: Date | null }): KnownPerson => ({
  ...user,
  isDisabled: disabledAt !== null,
});

const reasonOf = (standing: 'disabled' | 'deleted'): DisabledReason =>
  standing === 'disabled' ? 'identity_disabled' : 'identity_deleted';

function hasChanged(person: KnownPerson, { standing, tokensValidAfter }: AccountState): boolean {
  const isRevoked = tokensValidAfter !== null && (person.tokensValidAfter === null || person.tokensValidAfter < tokensValidAfter);
  const isIdentity = person.disabledReason !== null && person.disabledReason !== 'staff';
  if (standing === 'active') return isRevoked || isIdentity;
  return isRevoked || !person.isDisabled || (isIdentity && person.disabledReason !== reasonOf(standing));
}
