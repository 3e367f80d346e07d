import { loadIdentity } from './load-identity';

/** The provider refuses more mails than a few in a row; a person waits this long for the next. */
export const RESEND_AFTER_MS = 60_000;

let lastSentAtMs = -Infinity;

/** Time until another mail may be requested; 0: now. */
export const resendDelayMs = (nowMs: number): number => Math.max(0, lastSentAtMs + RESEND_AFTER_MS - nowMs);

export async function sendVerificationMail(): Promise<void> {
  await (await loadIdentity()).sendVerification();
  lastSentAtMs = Date.now();
}
