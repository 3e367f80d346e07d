import { getOrSaveUser, getUser } from '~/api/accounts';
import { track } from '~/api/analytics';
import type { UserRecord } from '~/api/types';
import { loadIdentity } from './load-identity';
import { writeUserState } from './user-state';
import type { IdentityUser } from './user-state';
import { sendVerificationMail } from './verification-mail';

/** Creates or updates the server's user record from the newest token. */
export const saveUser = (user: IdentityUser, fullName?: string) =>
  getOrSaveUser({
    email: user.email ?? '',
    fullName: fullName ?? user.displayName ?? undefined,
    uid: user.uid,
    photoURL: user.photoURL ?? undefined,
  });

export async function signInWithPassword(email: string, password: string): Promise<void> {
  const identity = await loadIdentity();
  const user = await identity.signIn(email, password);
  if (!user) throw new Error('Login failed');
  await saveUser(user);
}

export async function signInWithGoogle(): Promise<void> {
  const identity = await loadIdentity();
  const user = await identity.signInWithGoogle();
  if (!user) throw new Error('Login failed');
  await saveUser(user);
}

/** Creates the account and its record. If the record cannot be saved, the account is removed, so that the user can try again. */
export async function register(fullName: string, email: string, password: string): Promise<string> {
  writeUserState(null);
  const identity = await loadIdentity();
  const user = await identity.register(email, password, fullName);
  const record = (await getUser(user.uid)) ?? (await saveUser(user, fullName));
  if (record === null) {
    await identity.removeAccount();
    throw new Error('Failed to create user in the database.');
  }
  track({ name: 'Account Created', properties: { user_id: user.uid } });
  sendVerificationMail().catch((error: unknown) =>
    console.warn('Failed to send the verification email; the user can resend it in the banner', error),
  );
  return user.uid;
}

/** The second step of a sign-in that requires a code. */
export async function signInWithCode(challenge: unknown, code: string): Promise<void> {
  const secondFactor = await (await loadIdentity()).secondFactor();
  await saveUser(await secondFactor.answer(challenge, code));
}

/** The user's record, requested once per session. A user without one (first visit after a reset) is saved first. */
export const fetchRecord = async (user: IdentityUser): Promise<UserRecord | null> =>
  (await getUser(user.uid)) ?? (await saveUser(user));
