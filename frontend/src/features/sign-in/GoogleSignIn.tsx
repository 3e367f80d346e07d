import { Button, Loader } from '@mantine/core';
import { IconAppWindow } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { identityCode, needsCode, popupFailure } from '~/session/identity-errors';
import type { PopupFailure } from '~/session/identity-errors';
import { useSession } from '~/session/session-context';
import { signInWithGoogle } from '~/session/sign-in';
import { Notice } from '~/ui/feedback/Notice';
import { GoogleMark } from '~/components/status/ProviderMark';
import styles from './Form.module.css';

function Waiting({ onAgain, onCancel }: { onAgain: () => void; onCancel: () => void }) {
  return (
    <div className={styles.waiting} role="status">
      <p>
        <Loader /> Waiting for the Google window
      </p>
      <p>Finish the sign-in there. This page continues automatically.</p>
      <div>
        <Button size="xs" variant="default" onClick={onAgain}>
          Reopen window
        </Button>
        <Button size="xs" variant="subtle" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </div>
  );
}

interface GoogleSignInProps {
  onWaiting: (isWaiting: boolean) => void;
  /** The Google sign-in succeeded, and a code of an authenticator app is required. */
  onChallenge: (challenge: unknown) => void;
}

/** Google sign-in in a pop-up window. Each error has a message and an action. */
export function GoogleSignIn({ onWaiting, onChallenge }: GoogleSignInProps) {
  const { changeUser } = useSession();
  const [failure, setFailure] = useState<PopupFailure | null>(null);
  const [isWaiting, setWaiting] = useState(false);
  const attempt = useRef(0);
  const settle = (next: PopupFailure | null) => {
    setFailure(next);
    setWaiting(false);
    onWaiting(false);
  };
  const start = async () => {
    const mine = (attempt.current += 1);
    setFailure(null);
    setWaiting(true);
    onWaiting(true);
    try {
      await changeUser(signInWithGoogle);
    } catch (error) {
      if (mine === attempt.current && needsCode(error)) {
        settle(null);
        return onChallenge(error);
      }
      // Errors of a canceled or replaced attempt are ignored.
      if (mine === attempt.current) settle(popupFailure(error, location.host));
      else if (identityCode(error) === null) throw error;
    }
  };
  const cancel = () => {
    attempt.current += 1;
    settle(null);
  };
  if (isWaiting) return <Waiting onAgain={() => void start()} onCancel={cancel} />;
  return (
    <>
      {failure && (
        <Notice tone={failure.tone} icon={failure.tone === 'warn' ? IconAppWindow : undefined} title={failure.title} isAlert>
          {failure.wayOut}
        </Notice>
      )}
      <Button size="md" variant="default" fullWidth leftSection={<GoogleMark />} onClick={() => void start()}>
        {failure ? 'Try Google again' : 'Continue with Google'}
      </Button>
    </>
  );
}
