import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { waitForAnswer, openSignInWindow } from '~/domain/navigation/sign-in-window';
import { toast } from '~/components/feedback/toast';
import { findConsentPage } from '~/api/authorize-app';
import type { Authorization } from '~/api/authorize-app';

/** `waiting` while the platform's window is open; `closed` after it closed without an answer. */
export type SignInPhase = 'idle' | 'opening' | 'waiting' | 'closed';

/** Navigation state of a landing page that this page received from the sign-in window. */
export const takenOver = { isTakenOver: true } as const;

/** Signs in at a platform in a pop-up window. On narrow screens the sign-in uses the same page. */
export function useSignIn(organizationId: string) {
  const navigate = useNavigate();
  const [phase, setPhase] = useState<SignInPhase>('idle');
  const stop = useRef<() => void>(undefined);
  useEffect(() => {
    // The browser's Back button restores this page from the cache in its old state.
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && setPhase('closed');
    addEventListener('pageshow', onShow);
    return () => {
      removeEventListener('pageshow', onShow);
      stop.current?.();
    };
  }, []);
  const begin = async (authorization: Authorization, hasWindow = true) => {
    stop.current?.();
    const child = hasWindow ? openSignInWindow() : null;
    setPhase('opening');
    try {
      const url = await findConsentPage(organizationId, authorization);
      if (!child) return void location.assign(url);
      const state = new URL(url).searchParams.get('state') ?? '';
      stop.current = waitForAnswer(state, child, {
        onAnswer: (path) => void navigate(path, { state: takenOver }),
        onClosed: () => setPhase('closed'),
      });
      child.location.replace(url);
      setPhase('waiting');
    } catch (error) {
      child?.close();
      setPhase('idle');
      toast.failed(error);
    }
  };
  return { phase, begin };
}
