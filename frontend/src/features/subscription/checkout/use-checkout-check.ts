import { useEffect, useState } from 'react';
import { BillingFailure, getSubscription, isSessionValid } from '~/api/billing';
import { ApiProblem } from '~/api/http/problem';
import type { CheckoutAnswer } from './checkout-verdict';
import { followCheckout } from './checkout-verdict';

/** A refusal will be one again; a server in trouble, or too many questions, will pass. */
function isFinal(error: unknown): boolean {
  const cause = error instanceof BillingFailure ? error.cause : error;
  return cause instanceof ApiProblem && cause.status < 500 && cause.status !== 429;
}

async function ask(organizationId: string, sessionId: string): Promise<CheckoutAnswer> {
  try {
    if (!(await isSessionValid(organizationId, sessionId))) return { kind: 'unknown' };
    const { access } = await getSubscription(organizationId);
    return { kind: access === 'closed' ? 'processing' : 'open' };
  } catch (error) {
    return { kind: 'failed', error, isFinal: isFinal(error) };
  }
}

interface CheckoutCheck {
  /** Null while it is being asked for. */
  verdict: CheckoutAnswer | null;
  /** When the questions began, in milliseconds since 1970. */
  startedAtMs: number;
  checkAgain: () => void;
}

/** Asks what became of a checkout, every two seconds and for half a minute; then once more whenever the reader wants. */
export function useCheckoutCheck(organizationId: string, sessionId: string | null): CheckoutCheck {
  const [attempt, setAttempt] = useState(() => ({ startedAtMs: Date.now() }));
  const [found, setFound] = useState<{ attempt: object; verdict: CheckoutAnswer } | null>(null);
  useEffect(() => {
    if (sessionId === null) return;
    let isGone = false;
    const follow = async () => {
      const verdict = await followCheckout(
        () => ask(organizationId, sessionId),
        () => isGone,
        attempt.startedAtMs,
      );
      if (verdict && !isGone) setFound({ attempt, verdict });
    };
    void follow();
    return () => {
      isGone = true;
    };
  }, [organizationId, sessionId, attempt]);
  return {
    verdict: sessionId === null ? { kind: 'unknown' } : found?.attempt === attempt ? found.verdict : null,
    startedAtMs: attempt.startedAtMs,
    checkAgain: () => setAttempt({ startedAtMs: Date.now() }),
  };
}
