import { Button } from '@mantine/core';
import { paths } from '~/domain/navigation/paths';
import { needsNewSignIn, secondFactorErrorText } from '~/session/second-factor/second-factor-errors';
import { useNewSignIn } from '~/session/use-new-sign-in';
import { Notice } from '~/ui/feedback/Notice';

/** Error of the identity provider. Offers to sign in again when that resolves it. */
export function IdentityFailure({ error }: { error: unknown }) {
  const signInAgain = useNewSignIn();
  const again = (
    <Button variant="default" onClick={() => void signInAgain(paths.account())}>
      Sign in again
    </Button>
  );
  return (
    <Notice tone="danger" actions={needsNewSignIn(error) ? again : undefined} isAlert>
      {secondFactorErrorText(error)}
    </Notice>
  );
}
