import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useAction } from '~/lib/use-action';
import type { FactorSetup } from '~/session/second-factor/second-factor';
import { CopyButton } from '~/ui/inputs/CopyButton';
import styles from './Account.module.css';
import { IdentityFailure } from './IdentityFailure';
import { QrCode } from './QrCode';

interface SetUpFormProps {
  setup: FactorSetup;
  onDone: () => Promise<void>;
  onCancel: () => void;
}

/** Groups of four characters are easier to type. */
const inGroups = (secret: string): string => secret.match(/.{1,4}/g)?.join(' ') ?? secret;

/** Shows the secret once and requires a first code. The secret is stored only in the memory of this page. */
export function SetUpForm({ setup, onDone, onCancel }: SetUpFormProps) {
  const [code, setCode] = useState('');
  const { run, isBusy, error } = useAction({ leavesPage: true });
  const confirm = async () => {
    await setup.confirm(code.replace(/\s/g, ''));
    await onDone();
  };
  return (
    <form
      className={styles.stack}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void run(confirm);
      }}
    >
      <ol className={styles.steps}>
        <li>
          Scan this code with your authenticator app. On this device,{' '}
          <a href={setup.uri} className={styles.link}>
            open your authenticator app
          </a>
          , or enter the key manually.
          <QrCode text={setup.uri} label="QR code for your authenticator app. The key below is equivalent." />
          <div className={styles.secret}>
            <code>{inGroups(setup.secret)}</code>
            <CopyButton text={setup.secret} label="Copy key" />
          </div>
        </li>
        <li>
          <TextInput
            label="Code from the app"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={7}
            maw={200}
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
        </li>
      </ol>
      {error !== null && <IdentityFailure error={error} />}
      <div className={styles.actions}>
        <Button type="submit" loading={isBusy} disabled={code.trim() === ''}>
          Enable two-step sign-in
        </Button>
        <Button variant="subtle" onClick={onCancel}>
          Cancel
        </Button>
      </div>
      <p className="label">You cannot sign in without this device. Store the key in a safe place, such as a password manager.</p>
    </form>
  );
}
