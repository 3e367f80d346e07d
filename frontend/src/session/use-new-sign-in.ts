import { useCallback } from 'react';
import { saveCallback } from './callback';
import { useSession } from './session-context';

/** Signs out, and comes back to a page after the next sign-in. */
export function useNewSignIn() {
  const { signOut } = useSession();
  return useCallback(
    async (target: string) => {
      await signOut();
      saveCallback(target);
    },
    [signOut],
  );
}
