import { useCallback } from 'react';
import { saveCallback } from './callback';
import { useSession } from './session-context';

/** Signs out, and returns to the given page after the next sign-in. */
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
