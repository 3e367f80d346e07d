import { getOrSaveUser, getUser } from '~/api/accounts';
import { isNotFound } from '~/api/http/problem';
import type { UserRecord } from '~/api/types';
import { loadIdentity } from './load-identity';
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

/** The server's record of a user; null when there is none. */
export async function findUser(uid: string): Promise<UserRecord | null> {
  try {
    return (await getUser(uid)).user;
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

export async function register(fullName: string, email: string, password: string): Promise<string> {
  const identity = await loadIdentity();
  const user = await identity.register(email, password, fullName);
  const known = await findUser(user.uid);
  if (known === null) {
    const saved = await saveUser(user, fullName).catch(() => null);
    if (!saved?.user) throw new Error('Failed to create user in the database.');
  }
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

/** The user's role, requested once per session. A user without a record (first visit after a reset) is saved first. */
export async function fetchRole(user: IdentityUser): Promise<UserRecord['role']> {
  const known = await findUser(user.uid);
  if (known) return known.role;
  await saveUser(user);
  return 'user';
}
