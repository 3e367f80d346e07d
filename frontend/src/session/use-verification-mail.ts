import { useEffect, useState, useSyncExternalStore } from 'react';
import { useAction } from '~/lib/use-action';
import { identityErrorText } from './identity-errors';
import { useSession } from './session-context';
import { lastMailSentAtMs, resendDelayMs, sendVerificationMail, subscribeToMails } from './verification-mail';

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
  const { run, busyWith } = useAction<'send' | 'check'>();
  const [feedback, setFeedback] = useState<string | null>(null);
  const isWaiting = useResendDelay();
  const attempt = (kind: 'send' | 'check', work: () => Promise<string | null>) =>
    run(async () => setFeedback(await work().catch(identityErrorText)), kind);
  return {
    busyWith,
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
