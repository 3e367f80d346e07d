import { useEffect, useState } from 'react';
import { identityErrorText } from './identity-errors';
import { useSession } from './session-context';
import { resendDelayMs, RESEND_AFTER_MS, sendVerificationMail } from './verification-mail';

type Busy = 'send' | 'check' | null;

/** The two things a person can do about an unverified address, and what came of the last one. */
export function useVerificationMail() {
  const { checkEmail, user } = useSession();
  const [busy, setBusy] = useState<Busy>(null);
  const [feedback, setFeedback] = useState<string | null>(null);
  const [delayMs, setDelayMs] = useState(() => resendDelayMs(Date.now()));
  useEffect(() => {
    if (delayMs === 0) return;
    const timer = setTimeout(() => setDelayMs(0), delayMs);
    return () => clearTimeout(timer);
  }, [delayMs]);
  const attempt = async (kind: Busy, work: () => Promise<string | null>) => {
    setBusy(kind);
    setFeedback(await work().catch(identityErrorText));
    setBusy(null);
  };
  return {
    busy,
    feedback,
    isWaiting: delayMs > 0,
    send: () =>
      attempt('send', async () => {
        await sendVerificationMail();
        setDelayMs(RESEND_AFTER_MS);
        return `Sent to ${user?.email ?? 'you'}. Look in the spam folder too.`;
      }),
    check: () =>
      attempt('check', async () =>
        (await checkEmail()) ? null : 'It is not verified yet. Open the link in the mail, then try again.',
      ),
  };
}
