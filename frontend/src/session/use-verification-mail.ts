import { useEffect, useState, useSyncExternalStore } from 'react';
import { identityErrorText } from './identity-errors';
import { useSession } from './session-context';
import { lastMailSentAtMs, resendDelayMs, sendVerificationMail, subscribeToMails } from './verification-mail';

type Busy = 'send' | 'check' | null;

/** Whether the provider would reject another email now. All components share this state. */
function useResendDelay(): boolean {
  const lastSentAtMs = useSyncExternalStore(subscribeToMails, lastMailSentAtMs);
  const [overForMs, setOverForMs] = useState(() => (resendDelayMs(Date.now()) === 0 ? lastMailSentAtMs() : null));
  useEffect(() => {
    const timer = setTimeout(() => setOverForMs(lastSentAtMs), resendDelayMs(Date.now()));
    return () => clearTimeout(timer);
  }, [lastSentAtMs]);
  return overForMs !== lastSentAtMs;
}

/** Sends another verification email or checks whether the address is verified. `feedback` is the result of the last action. */
export function useVerificationMail() {
  const { checkEmail, user } = useSession();
  const [busy, setBusy] = useState<Busy>(null);
  const [feedback, setFeedback] = useState<string | null>(null);
  const isWaiting = useResendDelay();
  const attempt = async (kind: Busy, work: () => Promise<string | null>) => {
    setBusy(kind);
    setFeedback(await work().catch(identityErrorText));
    setBusy(null);
  };
  return {
    busy,
    feedback,
    isWaiting,
    send: () =>
      attempt('send', async () => {
        await sendVerificationMail();
        return `Sent to ${user?.email ?? 'you'}. Check your spam folder too.`;
      }),
    check: () =>
      attempt('check', async () =>
        (await checkEmail()) ? null : 'Your address is not verified yet. Open the link in the email, then try again.',
      ),
  };
}
