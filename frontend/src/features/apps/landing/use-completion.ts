import { useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { useSWRConfig } from 'swr';
import { acceptOtherUser } from '~/api/app-care';
import { completeAuthorization } from '~/api/apps';
import type { AuthorizationAnswer } from '~/api/apps';
import { keysOf } from '~/api/http/keys';
import type { SignedIn } from '~/api/types';
import { isRecord } from '~/lib/is-record';
import { offerAnswer } from '~/domain/navigation/sign-in-window';

/** The answer may be used once: a page that is drawn twice, as React does while developing, must still ask only once. */
const asked = new Map<string, Promise<SignedIn>>();
const offered = new Map<string, Promise<boolean>>();

function once<T>(known: Map<string, Promise<T>>, key: string, ask: () => Promise<T>): Promise<T> {
  const answer = known.get(key) ?? ask();
  known.set(key, answer);
  return answer;
}

const isTakenOver = (state: unknown): boolean => isRecord(state) && state.isTakenOver === true;

export type Completion =
  | { phase: 'working' }
  /** Another window of ours goes on with it; this one may be closed. */
  | { phase: 'handedOver' }
  | { phase: 'done'; signedIn: SignedIn }
  | { phase: 'failed'; error: unknown };

/** Ends a sign-in with what the platform handed back, or hands it to the page that waits for it. */
export function useCompletion(organizationId: string, { state, code, error }: AuthorizationAnswer) {
  const [completion, setCompletion] = useState<Completion>({ phase: 'working' });
  const { mutate } = useSWRConfig();
  const { pathname, search, state: memory } = useLocation();
  const isOurs = isTakenOver(memory);
  useEffect(() => {
    const complete = async () => {
      const isHandedOver = !isOurs && (await once(offered, state, () => offerAnswer(state, pathname + search)));
      if (isHandedOver) {
        setCompletion({ phase: 'handedOver' });
        close();
        return;
      }
      const signedIn = await once(asked, state, () => completeAuthorization(organizationId, { state, code, error }));
      setCompletion({ phase: 'done', signedIn });
      void mutate(keysOf(organizationId, 'apps', 'app', 'appHistory', 'sources', 'connections', 'connection'));
    };
    complete().catch((thrown: unknown) => setCompletion({ phase: 'failed', error: thrown }));
  }, [organizationId, state, code, error, isOurs, pathname, search, mutate]);
  const accept = async () => {
    const signedIn = await acceptOtherUser(organizationId, state);
    asked.set(state, Promise.resolve(signedIn));
    setCompletion({ phase: 'done', signedIn });
    void mutate(keysOf(organizationId, 'apps', 'app', 'appHistory', 'sources', 'connections', 'connection'));
  };
  return { completion, accept };
}
