import { FirebaseError, initializeApp } from 'firebase/app';
import {
  browserLocalPersistence,
  browserPopupRedirectResolver,
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  deleteUser,
  GoogleAuthProvider,
  indexedDBLocalPersistence,
  initializeAuth,
  onAuthStateChanged,
  sendEmailVerification,
  sendPasswordResetEmail,
  signInWithEmailAndPassword,
  signInWithPopup,
  signOut,
  updateProfile,
} from 'firebase/auth';
import type { Auth } from 'firebase/auth';
import type { RuntimeConfig } from '~/api/types';
import { paths } from '~/domain/navigation/paths';
import type { IdentityUser } from './user-state';

function start(config: RuntimeConfig): Auth {
  const auth = initializeAuth(initializeApp(config.firebase), {
    persistence: [indexedDBLocalPersistence, browserLocalPersistence],
    popupRedirectResolver: browserPopupRedirectResolver,
  });
  if (config.authEmulatorUrl) connectAuthEmulator(auth, config.authEmulatorUrl, { disableWarnings: true });
  return auth;
}

/** The reset page must not reveal whether an account exists. */
const isUnknownAccount = (error: unknown): boolean => error instanceof FirebaseError && error.code === 'auth/user-not-found';

/** All calls to the identity provider. Loaded after the first screen, so that it does not delay it. */
export function createIdentity(config: RuntimeConfig) {
  const auth = start(config);
  return {
    onChange: (listener: (user: IdentityUser | null) => void) => onAuthStateChanged(auth, listener),
    current: (): IdentityUser | null => auth.currentUser,
    token: async (): Promise<string | null> => {
      await auth.authStateReady();
      return auth.currentUser ? auth.currentUser.getIdToken() : null;
    },
    signIn: async (email: string, password: string): Promise<IdentityUser | null> =>
      (await signInWithEmailAndPassword(auth, email, password)).user,
    signInWithGoogle: async (): Promise<IdentityUser | null> => (await signInWithPopup(auth, new GoogleAuthProvider())).user,
    register: async (email: string, password: string, fullName: string): Promise<IdentityUser> => {
      const { user } = await createUserWithEmailAndPassword(auth, email, password);
      await updateProfile(user, { displayName: fullName });
      return user;
    },
    /** Removes the signed-in user's account. Only for an account that was created moments ago. */
    removeAccount: async (): Promise<void> => {
      if (auth.currentUser) await deleteUser(auth.currentUser);
    },
    /** Sends a verification email to the signed-in user. Its link returns to this app. */
    sendVerification: async (): Promise<void> => {
      if (auth.currentUser) await sendEmailVerification(auth.currentUser, { url: new URL(paths.home(), location.origin).href });
    },
    /** Whether the address is verified. An older token is refreshed, because the server reads the token. */
    checkVerified: async (): Promise<'no' | 'yes' | 'newly'> => {
      const user = auth.currentUser;
      if (user && !user.emailVerified) await user.reload();
      if (!user?.emailVerified) return 'no';
      const { claims } = await user.getIdTokenResult();
      if (claims['email_verified'] === true) return 'yes';
      await user.getIdToken(true);
      return 'newly';
    },
    /** Loaded on first use. */
    secondFactor: async () => (await import('./second-factor/second-factor')).createSecondFactor(auth),
    sendReset: async (email: string): Promise<void> => {
      try {
        await sendPasswordResetEmail(auth, email, { url: new URL(paths.login(), location.origin).href });
      } catch (error) {
        if (!isUnknownAccount(error)) throw error;
      }
    },
    signOut: (): Promise<void> => signOut(auth),
  };
}

export type Identity = ReturnType<typeof createIdentity>;
