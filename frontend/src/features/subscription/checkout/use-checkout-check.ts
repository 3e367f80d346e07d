import { useEffect, useState } from 'react';
import { BillingFailure, getSubscription, isSessionValid } from '~/api/billing';
import { ApiProblem } from '~/api/http/problem';
import type { CheckoutAnswer } from './checkout-verdict';
import { followCheckout } from './checkout-verdict';

/** Client errors are final. Server errors and rate limits are retried. */
function isFinal(error: unknown): boolean {
  const cause = error instanceof BillingFailure ? error.cause : error;
  return cause instanceof ApiProblem && cause.status < 500 && cause.status !== 429;
}

async function checkOnce(organizationId: string, sessionId: string): Promise<CheckoutAnswer> {
  try {
    if (!(await isSessionValid(organizationId, sessionId))) return { kind: 'unknown' };
    const { access } = await getSubscription(organizationId);
    return { kind: access === 'closed' ? 'processing' : 'open' };
  } catch (error) {
    return { kind: 'failed', error, isFinal: isFinal(error) };
  }
}

interface CheckoutCheck {
  /** Null while the check is in progress. */
  verdict: CheckoutAnswer | null;
  /** Start of the check, in milliseconds since 1970. */
  startedAtMs: number;
  checkAgain: () => void;
}

/** Checks the outcome of a checkout every 2 s for at most 30 s. The user can repeat the check. */
export function useCheckoutCheck(organizationId: string, sessionId: string | null): CheckoutCheck {
  const [attempt, setAttempt] = useState(() => ({ startedAtMs: Date.now() }));
  const [found, setFound] = useState<{ attempt: object; verdict: CheckoutAnswer } | null>(null);
  useEffect(() => {
    if (sessionId === null) return;
    let isCanceled = false;
    const follow = async () => {
      const verdict = await followCheckout(
        () => checkOnce(organizationId, sessionId),
        () => isCanceled,
        attempt.startedAtMs,
      );
      if (verdict && !isCanceled) setFound({ attempt, verdict });
    };
    void follow();
    return () => {
      isCanceled = true;
    };
  }, [organizationId, sessionId, attempt]);
  return {
    verdict: sessionId === null ? { kind: 'unknown' } : found?.attempt === attempt ? found.verdict : null,
    startedAtMs: attempt.startedAtMs,
    checkAgain: () => setAttempt({ startedAtMs: Date.now() }),
  };
}
