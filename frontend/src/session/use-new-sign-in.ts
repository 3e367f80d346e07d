import { useCallback } from 'react';
import { saveCallback } from './callback';
import { useSession } from './session-context';

/** Signs out, and returns to the given page after the next sign-in. */
export function useNewSignIn() {
  const { endSession } = useSession();
  return useCallback(
    async (target: string) => {
      await endSession();
      saveCallback(target);
    },
    [endSession],
  );
}
