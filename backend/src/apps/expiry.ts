const DAY_MS = 86_400_000;
/** Long enough to find somebody who may sign in, over a holiday too. */
const WARNED_DAYS_BEFORE = 14;

/** How a living app stands: it says beforehand that somebody must sign in again. */
export const stateWith = (signInAgainAt: Date | null, now = new Date()): 'connected' | 'expiring' =>
  signInAgainAt !== null && signInAgainAt.getTime() - now.getTime() < WARNED_DAYS_BEFORE * DAY_MS ? 'expiring' : 'connected';

/** A day after it was asked: so apps are spread over the day as people connect them. */
export const nextProbeAt = (now: Date): Date => new Date(now.getTime() + DAY_MS);
