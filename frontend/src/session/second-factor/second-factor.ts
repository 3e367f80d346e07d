import { getMultiFactorResolver, multiFactor, TotpMultiFactorGenerator } from 'firebase/auth';
import type { Auth, MultiFactorError, TotpSecret, User } from 'firebase/auth';
import type { IdentityUser } from '~/session/user-state';

/** The issuer that an authenticator app shows. */
const ISSUER = 'Tributary';

export interface EnrolledFactor {
  id: string;
  /** When it was set up. */
  enrolledAt: string;
}

/** A new secret; it takes effect when its first code is confirmed. */
export interface FactorSetup {
  secret: string;
  /** Opens an authenticator app on the same device. */
  uri: string;
  /** Turns two-step sign-in on. */
  confirm: (code: string) => Promise<void>;
}

const isTotp = ({ factorId }: { factorId: string }): boolean => factorId === TotpMultiFactorGenerator.FACTOR_ID;

function currentUser(auth: Auth): User {
  if (!auth.currentUser) throw new Error('Your sign-in has expired. Sign in again.');
  return auth.currentUser;
}

function setupOf(user: User, secret: TotpSecret): FactorSetup {
  return {
    secret: secret.secretKey,
    // The library does not encode the account name for the URL.
    uri: secret.generateQrCodeUrl(encodeURIComponent(user.email ?? user.uid), ISSUER),
    confirm: (code) => multiFactor(user).enroll(TotpMultiFactorGenerator.assertionForEnrollment(secret, code), ISSUER),
  };
}

/** Two-step sign-in with the codes of an authenticator app (TOTP, RFC 6238). */
export const createSecondFactor = (auth: Auth) => ({
  list: (): EnrolledFactor[] =>
    multiFactor(currentUser(auth))
      .enrolledFactors.filter(isTotp)
      .map(({ uid, enrollmentTime }) => ({ id: uid, enrolledAt: enrollmentTime })),
  begin: async (): Promise<FactorSetup> => {
    const user = currentUser(auth);
    return setupOf(user, await TotpMultiFactorGenerator.generateSecret(await multiFactor(user).getSession()));
  },
  remove: (id: string): Promise<void> => multiFactor(currentUser(auth)).unenroll(id),
  /** Completes a sign-in that failed with `auth/multi-factor-auth-required`. */
  answer: async (challenge: unknown, code: string): Promise<IdentityUser> => {
    const resolver = getMultiFactorResolver(auth, challenge as MultiFactorError);
    const factor = resolver.hints.find(isTotp);
    if (!factor) throw new Error('This account uses another kind of second factor. Ask the operator of this instance.');
    return (await resolver.resolveSignIn(TotpMultiFactorGenerator.assertionForSignIn(factor.uid, code))).user;
  },
});
