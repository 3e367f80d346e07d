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

const KNOWN = `uid, disabled_at is not null as "isDisabled", disabled_reason as "disabledReason",
               tokens_valid_after as "tokensValidAfter"`;

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
    const { rows } = await this.database.pool.query<KnownPerson>(`select ${KNOWN} from users where uid = $1`, [uid]);
    return rows[0] ?? null;
  }

  /** Returns one batch of all users, ordered by uid. */
  async findPeopleAfter(uid: string, limit: number): Promise<KnownPerson[]> {
    const { rows } = await this.database.pool.query<KnownPerson>(
      `select ${KNOWN} from users where uid > $1 order by uid limit $2`,
      [uid, limit],
    );
    return rows;
  }

  /** Writes nothing when nothing has changed, which is the usual case. */
  async apply(person: KnownPerson, account: AccountState): Promise<void> {
    if (!hasChanged(person, account)) return;
    const { uid } = person;
    await this.database.transaction(async (query) => {
      if (account.standing === 'active') await this.access.enable(query, uid);
      else await this.access.disable(query, uid, reasonOf(account.standing));
      if (account.tokensValidAfter) await this.access.revokeTokens(query, uid, account.tokensValidAfter);
    });
  }
}

const reasonOf = (standing: 'disabled' | 'deleted'): DisabledReason =>
  standing === 'disabled' ? 'identity_disabled' : 'identity_deleted';

function hasChanged(person: KnownPerson, { standing, tokensValidAfter }: AccountState): boolean {
  const isRevoked = tokensValidAfter !== null && (person.tokensValidAfter === null || person.tokensValidAfter < tokensValidAfter);
  const isIdentity = person.disabledReason !== null && person.disabledReason !== 'staff';
  if (standing === 'active') return isRevoked || isIdentity;
  return isRevoked || !person.isDisabled || (isIdentity && person.disabledReason !== reasonOf(standing));
}
