import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { useInvitation } from '~/api/invitations';
import { readPendingInvitation } from '~/session/pending-invitation';
import { paths } from '~/domain/navigation/paths';
import { useAction } from '~/lib/use-action';
import { useTitle } from '~/lib/use-title';
import { identityCode, identityErrorText } from '~/session/identity-errors';
import { useSession } from '~/session/session-context';
import { register } from '~/session/sign-in';
import { Notice } from '~/ui/feedback/Notice';
import { toast } from '~/components/feedback/toast';
import { AuthFrame } from './AuthFrame';
import { GoogleSignIn } from './GoogleSignIn';
import { SecondFactorStep } from './SecondFactorStep';
import styles from './Form.module.css';
import { PASSWORD_HINT, PASSWORD_MIN_LENGTH, strengthOf } from './password-strength';
import { useFields } from './use-fields';

function PasswordStrength({ password }: { password: string }) {
  const { bars, word, tone } = strengthOf(password);
  if (bars === 0) return null;
  return (
    <div className={styles.strength}>
      <span className={styles.bars} aria-hidden>
        {[1, 2, 3, 4].map((bar) => (
          <span key={bar} data-on={bar <= bars ? tone : undefined} />
        ))}
      </span>
      <span>{word}</span>
    </div>
  );
}

/** Error text. "log in" is a link if the email address is already in use. */
function Failure({ error }: { error: unknown }) {
  const text = identityErrorText(error);
  const [before] = text.split('log in.');
  if (identityCode(error) !== 'email-already-in-use') return <>{text}</>;
  return (
    <>
      {before}
      <Link to={paths.login()}>log in</Link>.
    </>
  );
}

/** The address of the invitation that was opened before. The account must have it. */
function useInvitedEmail(onKnown: (email: string) => void): void {
  const link = readPendingInvitation();
  const { data } = useInvitation(link?.invitationId ?? null, link?.token ?? undefined, null);
  const use = useEffectEvent(onKnown);
  useEffect(() => {
    if (data) use(data.email);
  }, [data]);
}

function useSignUp() {
  const { changeUser } = useSession();
  const navigate = useNavigate();
  const form = useFields(
    { fullName: '', email: '', password: '' },
    {
      fullName: (value) => (value.trim() === '' ? 'Enter your name.' : null),
      email: (value) => (/^\S+@\S+\.\S+$/.test(value.trim()) ? null : 'Enter a valid email address.'),
      password: (value) => (value.length < PASSWORD_MIN_LENGTH ? 'Password should be at least 6 characters long.' : null),
    },
  );
  useInvitedEmail((email) => {
    if (form.values.email === '') form.change({ email });
  });
  const onError = (failure: unknown) => {
    if (identityCode(failure) === 'email-already-in-use') form.setError('email', 'Already in use');
    if (identityCode(failure) === 'weak-password') form.setError('password', identityErrorText(failure));
  };
  const { run, isBusy, error } = useAction({ onError, leavesPage: true });
  const signUp = ({ fullName, email, password }: typeof form.values) =>
    changeUser(async () => {
      await register(fullName.trim(), email.trim(), password);
      toast.done('Account created');
      void navigate(paths.login());
    });
  return { form, isBusy, error, submit: form.onSubmit((values) => void run(() => signUp(values))) };
}

function SignUpForm({ isDisabled }: { isDisabled: boolean }) {
  const { form, isBusy, error, submit } = useSignUp();
  return (
    <form onSubmit={submit} className={styles.stack} noValidate style={{ marginTop: 16 }}>
      {error !== null && (
        <Notice tone="danger" isAlert>
          <Failure error={error} />
        </Notice>
      )}
      <TextInput size="md" label="Full name" autoComplete="name" {...form.field('fullName')} />
      <TextInput size="md" label="Email" type="email" autoComplete="username" {...form.field('email')} />
      <PasswordInput
        size="md"
        label="Password"
        description={PASSWORD_HINT}
        autoComplete="new-password"
        {...form.field('password')}
      />
      <PasswordStrength password={form.values.password} />
      <Button type="submit" size="md" fullWidth loading={isBusy} disabled={isDisabled}>
        Create account
      </Button>
    </form>
  );
}

export default function SignUpPage() {
  useTitle('Create your account');
  const [isWaiting, setWaiting] = useState(false);
  const [challenge, setChallenge] = useState<unknown>(null);
  if (challenge !== null) return <SecondFactorStep challenge={challenge} onCancel={() => setChallenge(null)} />;
  return (
    <AuthFrame>
      <h1>Create your account</h1>
      <div className={styles.stack}>
        <GoogleSignIn onWaiting={setWaiting} onChallenge={setChallenge} />
        <div className={styles.or}>or with email</div>
      </div>
      <SignUpForm isDisabled={isWaiting} />
      <p className={styles.after}>
        Have an account? <Link to={paths.login()}>Sign in</Link>
      </p>
    </AuthFrame>
  );
}
