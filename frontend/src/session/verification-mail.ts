import { loadIdentity } from './load-identity';

/** The provider limits the rate of verification emails. The next one can be requested after this time. */
export const RESEND_AFTER_MS = 60_000;

let lastSentAtMs = -Infinity;
const listeners = new Set<() => void>();

function setLastSent(atMs: number): void {
  lastSentAtMs = atMs;
  for (const listener of listeners) listener();
}

/** Calls the listener after each sent or failed email. Returns a function that unsubscribes. */
export function subscribeToMails(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const lastMailSentAtMs = (): number => lastSentAtMs;

/** The time until another email can be requested; 0 when it can be requested now. */
export const resendDelayMs = (nowMs: number): number => Math.max(0, lastSentAtMs + RESEND_AFTER_MS - nowMs);

/** Records the email as sent before the request, so that no second request starts. A failure allows an immediate retry. */
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
