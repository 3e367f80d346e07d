import type { Auth } from 'firebase-admin/auth';

/** State of an account at the identity provider. */
export interface AccountState {
  uid: string;
  standing: 'active' | 'disabled' | 'deleted';
  /** Tokens of earlier sign-ins are revoked. */
  tokensValidAfter: Date | null;
}

/** The provider's limit per request. */
export const MAX_ACCOUNTS = 100;

/** Deleted means that the provider's response lacks the account. A call that fails throws, and marks no account as deleted. */
export async function findAccounts(auth: Auth, uids: string[]): Promise<Map<string, AccountState>> {
  const { users } = await auth.getUsers(uids.map((uid) => ({ uid })));
  const states = new Map<string, AccountState>(uids.map((uid) => [uid, { uid, standing: 'deleted', tokensValidAfter: null }]));
  for (const { uid, disabled, tokensValidAfterTime } of users) {
    const tokensValidAfter = tokensValidAfterTime ? new Date(tokensValidAfterTime) : null;
    states.set(uid, { uid, standing: disabled ? 'disabled' : 'active', tokensValidAfter });
  }
  return states;
}
