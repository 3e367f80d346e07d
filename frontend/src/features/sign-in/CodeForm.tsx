import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useAction } from '~/lib/use-action';
import { secondFactorErrorText } from '~/session/second-factor/second-factor-errors';
import { useSession } from '~/session/session-context';
import { signInWithCode } from '~/session/sign-in';
import { Notice } from '~/ui/feedback/Notice';
import styles from './Form.module.css';

interface CodeFormProps {
  /** The error `multi-factor-auth-required` of the first step. */
  challenge: unknown;
  onCancel: () => void;
}

/** Second step of the sign-in: a code from the user's authenticator app. */
export default function CodeForm({ challenge, onCancel }: CodeFormProps) {
  const { changeUser } = useSession();
  const [code, setCode] = useState('');
  const { run, isBusy, error } = useAction({ leavesPage: true });
  const submit = () => changeUser(() => signInWithCode(challenge, code.replace(/\s/g, '')));
  return (
    <form
      className={styles.stack}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void run(submit);
      }}
    >
      {error !== null && (
        <Notice tone="danger" isAlert>
          {secondFactorErrorText(error)}
        </Notice>
      )}
      <TextInput
        size="md"
        label="Code"
        description="Six digits from your authenticator app."
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={7}
        data-autofocus
        autoFocus
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <Button type="submit" size="md" fullWidth loading={isBusy} disabled={code.trim() === ''}>
        Confirm
      </Button>
      <Button size="md" variant="subtle" fullWidth onClick={onCancel}>
        Start again
      </Button>
      <p className={styles.lead}>Lost your device? Ask the operator of this instance to remove your second factor.</p>
    </form>
  );
}
