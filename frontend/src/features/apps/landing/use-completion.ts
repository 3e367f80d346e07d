import { useCallback, useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useSWRConfig } from 'swr';
import { acceptOtherUser } from '~/api/app-access';
import { completeAuthorization } from '~/api/apps';
import type { AuthorizationAnswer } from '~/api/apps';
import { forgetEstimates } from '~/api/connections/estimates';
import { keysOf } from '~/api/http/keys';
import type { SignedIn } from '~/api/types';
import { isRecord } from '~/lib/is-record';
import { offerAnswer } from '~/domain/navigation/sign-in-window';

/** The code is single-use. React's StrictMode runs effects twice, so requests are deduplicated by state. */
const completions = new Map<string, Promise<SignedIn>>();
const offers = new Map<string, Promise<boolean>>();

function once<T>(known: Map<string, Promise<T>>, key: string, start: () => Promise<T>): Promise<T> {
  const result = known.get(key) ?? start();
  known.set(key, result);
  return result;
}

const isTakenOver = (state: unknown): boolean => isRecord(state) && state.isTakenOver === true;

export type Completion =
  | { phase: 'working' }
  /** Another window of the app continues the flow. This one can be closed. */
  | { phase: 'handedOver' }
  | { phase: 'done'; signedIn: SignedIn }
  | { phase: 'failed'; error: unknown };

/** Completes a sign-in with the platform's response, or passes the response to the page that waits for it. */
export function useCompletion(organizationId: string, { state, code, error }: AuthorizationAnswer) {
  const [completion, setCompletion] = useState<Completion>({ phase: 'working' });
  const { mutate } = useSWRConfig();
  const { pathname, search, state: memory } = useLocation();
  const isOurs = isTakenOver(memory);
  const refresh = useCallback(() => {
    void forgetEstimates(mutate, organizationId);
    void mutate(keysOf(organizationId, 'apps', 'app', 'appHistory', 'sources', 'connections', 'connection'));
  }, [mutate, organizationId]);
  useEffect(() => {
    const complete = async () => {
      const isHandedOver = !isOurs && (await once(offers, state, () => offerAnswer(state, pathname + search)));
      if (isHandedOver) {
        setCompletion({ phase: 'handedOver' });
        close();
        return;
      }
      const signedIn = await once(completions, state, () => completeAuthorization(organizationId, { state, code, error }));
      setCompletion({ phase: 'done', signedIn });
      refresh();
    };
    complete().catch((thrown: unknown) => setCompletion({ phase: 'failed', error: thrown }));
  }, [organizationId, state, code, error, isOurs, pathname, search, refresh]);
  const accept = async () => {
    const signedIn = await acceptOtherUser(organizationId, state);
    completions.set(state, Promise.resolve(signedIn));
    setCompletion({ phase: 'done', signedIn });
    refresh();
  };
  return { completion, accept };
}

const isFinished = (state: unknown): state is { signedIn: SignedIn } =>
  isRecord(state) && isRecord(state.signedIn) && isRecord(state.signedIn.app);

/** The completed sign-in that this entry of the browser's history shows; null for others. It is there after a reload, too. */
export function useFinishedSignIn(): SignedIn | null {
  const { state } = useLocation();
  return isFinished(state) ? state.signedIn : null;
}

/**
 * Replaces the address once the sign-in is completed: its code is single-use, so a reload must not send it again, and neither code nor
 * state stay in the history. `keepsResult`: the page at this address shows the result with `useFinishedSignIn`.
 */
export function useReplacedAddress(completion: Completion, targetOf: (signedIn: SignedIn) => ReplacedAddress): void {
  const navigate = useNavigate();
  const signedIn = completion.phase === 'done' ? completion.signedIn : null;
  const target = signedIn && targetOf(signedIn);
  const [to, keepsResult] = [target?.to, target?.keepsResult];
  useEffect(() => {
    if (to !== undefined) void navigate(to, { replace: true, state: keepsResult ? { signedIn } : null });
  }, [to, keepsResult, signedIn, navigate]);
}

export interface ReplacedAddress {
  to: string;
  keepsResult: boolean;
}
