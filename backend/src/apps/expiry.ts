const DAY_MS = 86_400_000;
/** Enough time to find a user who can sign in, including holidays. */
const WARNING_DAYS = 14;

/** State of a connected app: `expiring` warns that a user must sign in again soon. */
export const connectedState = (signInAgainAt: Date | null, now = new Date()): 'connected' | 'expiring' =>
  signInAgainAt !== null && signInAgainAt.getTime() - now.getTime() < WARNING_DAYS * DAY_MS ? 'expiring' : 'connected';

/** One day later, so that probes are spread over the day like the sign-ins. */
export const nextProbeAt = (now: Date): Date => new Date(now.getTime() + DAY_MS);
