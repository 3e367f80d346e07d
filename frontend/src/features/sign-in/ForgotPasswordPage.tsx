import { Button, TextInput } from '@mantine/core';
import { IconMailCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '~/domain/navigation/paths';
import { useAction } from '~/lib/use-action';
import { useTitle } from '~/lib/use-title';
import { identityErrorText } from '~/session/identity-errors';
import { loadIdentity } from '~/session/load-identity';
import { Notice } from '~/ui/feedback/Notice';
import { AuthFrame } from './AuthFrame';
import styles from './Form.module.css';
import { useFields } from './use-fields';

/** The message is the same whether or not the account exists. */
const Sent = ({ email, onAgain }: { email: string; onAgain: () => void }) => (
  <div className={styles.stack}>
    <Notice tone="accent" icon={IconMailCheck} title="Check your inbox" isAlert>
      If an account exists for {email}, we sent a link to reset the password.
    </Notice>
    <Button size="md" variant="default" fullWidth onClick={onAgain}>
      Use another email
    </Button>
  </div>
);

export default function ForgotPasswordPage() {
  useTitle('Reset your password');
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { run, isBusy, error } = useAction();
  const form = useFields(
    { email: '' },
    { email: (value) => (/^\S+@\S+\.\S+$/.test(value.trim()) ? null : 'Enter a valid email address.') },
  );
  const send = async (email: string) => {
    await (await loadIdentity()).sendReset(email);
    setSentTo(email);
  };
  const submit = form.onSubmit(({ email }) => void run(() => send(email.trim())));
  return (
    <AuthFrame>
      <h1>Reset your password</h1>
      {sentTo !== null ? (
        <Sent email={sentTo} onAgain={() => setSentTo(null)} />
      ) : (
        <>
          <p className={styles.lead}>We’ll send you a link to reset it.</p>
          <form onSubmit={submit} className={styles.stack} noValidate>
            {error !== null && (
              <Notice tone="danger" isAlert>
                {identityErrorText(error)}
              </Notice>
            )}
            <TextInput size="md" label="Email" type="email" autoComplete="username" {...form.field('email')} />
            <Button type="submit" size="md" fullWidth loading={isBusy}>
              Send link
            </Button>
          </form>
        </>
      )}
      <p className={styles.after}>
        <Link to={paths.login()}>Back to sign in</Link>
      </p>
    </AuthFrame>
  );
}
