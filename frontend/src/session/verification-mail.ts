import { loadIdentity } from './load-identity';

/** The provider limits the rate of verification mails: the next one can be requested after this time. */
export const RESEND_AFTER_MS = 60_000;

let lastSentAtMs = -Infinity;
const listeners = new Set<() => void>();

function setLastSent(atMs: number): void {
  lastSentAtMs = atMs;
  for (const listener of listeners) listener();
}

/** Calls the listener after each mail that is sent or fails. Returns a function that unsubscribes. */
export function subscribeToMails(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const lastMailSentAtMs = (): number => lastSentAtMs;

/** Time until another mail may be requested; 0: now. */
export const resendDelayMs = (nowMs: number): number => Math.max(0, lastSentAtMs + RESEND_AFTER_MS - nowMs);

/** Counts as sent from the start, so that no second mail is requested meanwhile; a failure allows another attempt at once. */
export async function sendVerificationMail(): Promise<void> {
  const before = lastSentAtMs;
  setLastSent(Date.now());
  try {
    await (await loadIdentity()).sendVerification();
  } catch (error) {
    setLastSent(before);
    throw error;
  }
}
