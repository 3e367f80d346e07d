import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '~/domain/navigation/paths';
import { useAction } from '~/lib/use-action';
import { useTitle } from '~/lib/use-title';
import { describeTarget, readCallback } from '~/session/callback';
import { identityErrorText, needsCode } from '~/session/identity-errors';
import { useSession } from '~/session/session-context';
import { signInWithPassword } from '~/session/sign-in';
import { Notice } from '~/ui/feedback/Notice';
import { AuthFrame } from './AuthFrame';
import { DemoAccess } from './DemoAccess';
import styles from './Form.module.css';
import { GoogleSignIn } from './GoogleSignIn';
import { SecondFactorStep } from './SecondFactorStep';
import { useFields } from './use-fields';

function CallbackNote() {
  const target = readCallback();
  const place = target && describeTarget(target);
  if (!place) return null;
  return (
    <p className={styles.lead}>
      Sign in to continue to <strong>{place}</strong>.
    </p>
  );
}

const useLoginForm = () =>
  useFields(
    { email: '', password: '' },
    {
      email: (value) => (value.trim() === '' ? 'Enter your email address.' : null),
      password: (value) => (value === '' ? 'Enter your password.' : null),
    },
  );

interface PasswordFormProps {
  form: ReturnType<typeof useLoginForm>;
  isDisabled: boolean;
  /** The password is correct, and a code of an authenticator app is required. */
  onChallenge: (challenge: unknown) => void;
}

function PasswordForm({ form, isDisabled, onChallenge }: PasswordFormProps) {
  const { changeUser, endedBecause } = useSession();
  const { run, isBusy, error } = useAction({
    onError: (failure) => {
      if (needsCode(failure)) onChallenge(failure);
    },
    leavesPage: true,
  });
  const failureText = error === null || needsCode(error) ? endedBecause : identityErrorText(error);
  const submit = form.onSubmit(
    ({ email, password }) => void run(() => changeUser(() => signInWithPassword(email.trim(), password))),
  );
  return (
    <form onSubmit={submit} className={styles.stack} noValidate style={{ marginTop: 16 }}>
      {failureText && (
        <Notice tone="danger" isAlert>
          {failureText}
        </Notice>
      )}
      <TextInput size="md" label="Email" type="email" autoComplete="username" {...form.field('email')} />
      <div className={styles.password}>
        <PasswordInput size="md" label="Password" autoComplete="current-password" {...form.field('password')} />
        {/* Shown above the field. After it in the document, so that Tab leads from the e-mail to the password. */}
        <Link to={paths.forgotPassword()} className={styles.forgot}>
          Forgot password?
        </Link>
      </div>
      <Button type="submit" size="md" fullWidth loading={isBusy} disabled={isDisabled}>
        Sign in
      </Button>
    </form>
  );
}

export default function LoginPage() {
  useTitle('Sign in');
  const [isWaiting, setWaiting] = useState(false);
  const [challenge, setChallenge] = useState<unknown>(null);
  const form = useLoginForm();
  if (challenge !== null) return <SecondFactorStep challenge={challenge} onCancel={() => setChallenge(null)} />;
  return (
    <AuthFrame>
      <h1>Sign in</h1>
      <CallbackNote />
      <div className={styles.stack}>
        <DemoAccess onUse={(email, password) => form.change({ email, password })} />
        <GoogleSignIn onWaiting={setWaiting} onChallenge={setChallenge} />
        <div className={styles.or}>or with email</div>
      </div>
      <PasswordForm form={form} isDisabled={isWaiting} onChallenge={setChallenge} />
      <p className={styles.after}>
        New here? <Link to={paths.signUp()}>Create account</Link>
      </p>
    </AuthFrame>
  );
}
