import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link, useNavigate } from 'react-router-dom';
import { paths } from '~/domain/navigation/paths';
import { useAction } from '~/lib/use-action';
import { useTitle } from '~/lib/use-title';
import { identityCode, identityErrorText } from '~/session/identity-errors';
import { useSession } from '~/session/session-context';
import { register } from '~/session/sign-in';
import { Notice } from '~/ui/feedback/Notice';
import { toast } from '~/components/feedback/toast';
import { AuthFrame } from './AuthFrame';
import styles from './Form.module.css';
import { PASSWORD_HINT, PASSWORD_MIN_LENGTH, strengthOf } from './password-strength';

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

export default function SignUpPage() {
  useTitle('Create your account');
  const { changeUser } = useSession();
  const navigate = useNavigate();
  const form = useForm({
    mode: 'controlled',
    initialValues: { fullName: '', email: '', password: '' },
    validate: {
      fullName: (value) => (value.trim() === '' ? 'Enter your name.' : null),
      email: (value) => (/^\S+@\S+\.\S+$/.test(value.trim()) ? null : 'Enter a valid email address.'),
      password: (value) => (value.length < PASSWORD_MIN_LENGTH ? 'Password should be at least 6 characters long.' : null),
    },
  });
  const onError = (failure: unknown) => {
    if (identityCode(failure) === 'email-already-in-use') form.setFieldError('email', 'Already in use');
    if (identityCode(failure) === 'weak-password') form.setFieldError('password', identityErrorText(failure));
  };
  const { run, isBusy, error } = useAction({ onError, leavesPage: true });
  const signUp = ({ fullName, email, password }: typeof form.values) =>
    changeUser(async () => {
      await register(fullName.trim(), email.trim(), password);
      toast.done('Account created');
      void navigate(paths.login());
    });
  const submit = form.onSubmit((values) => void run(() => signUp(values)));
  return (
    <AuthFrame>
      <h1>Create your account</h1>
      <form onSubmit={submit} className={styles.stack} noValidate>
        {error !== null && (
          <Notice tone="danger" isAlert>
            <Failure error={error} />
          </Notice>
        )}
        <TextInput size="md" label="Full name" autoComplete="name" {...form.getInputProps('fullName')} />
        <TextInput size="md" label="Email" type="email" autoComplete="username" {...form.getInputProps('email')} />
        <PasswordInput
          size="md"
          label="Password"
          description={PASSWORD_HINT}
          autoComplete="new-password"
          {...form.getInputProps('password')}
        />
        <PasswordStrength password={form.values.password} />
        <Button type="submit" size="md" fullWidth loading={isBusy}>
          Create account
        </Button>
      </form>
      <p className={styles.after}>
        Have an account? <Link to={paths.login()}>Sign in</Link>
      </p>
    </AuthFrame>
  );
}
