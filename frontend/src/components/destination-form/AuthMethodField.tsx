import type { FlowState } from '~/domain/navigation/flow-state';
import { signInName } from '~/domain/accounts/providers';
import { ChoiceList } from '~/ui/inputs/ChoiceList';
import { ProviderMark } from '~/components/status/ProviderMark';
import type { SignInProvider } from '~/api/authorize-app';
import { SignInButton } from '~/components/sign-in/SignInButton';
import styles from './DestinationForm.module.css';
import { describeAuthMethod } from './auth-methods';
import type { AuthMethod } from './auth-methods';

interface AuthMethodFieldProps {
  organizationId: string;
  provider: string;
  methods: AuthMethod[];
  chosen: AuthMethod | null;
  isLocked: boolean;
  onChoose: (id: string) => void;
  /** Where the flow started, for the page after a sign-in. */
  from: FlowState['storedFrom'];
  returnTo: string;
  /** Called before a sign-in can leave the page, so that the input can be stored. */
  onLeave: () => void;
}

/** The choice of the authentication method. A sign-in at the platform returns with an app. */
export function AuthMethodField({
  organizationId,
  provider,
  methods,
  chosen,
  isLocked,
  onChoose,
  from,
  returnTo,
  onLeave,
}: AuthMethodFieldProps) {
  if (methods.length < 2) return null;
  return (
    <section className={styles.authMethods} aria-label="Access">
      <h2>Access</h2>
      <ChoiceList
        label="Access"
        name="access"
        value={chosen?.id ?? null}
        onChange={onChoose}
        choices={methods.map((method) => ({
          id: method.id,
          mark: <ProviderMark provider={provider} />,
          isClosed: isLocked,
          ...describeAuthMethod(method, provider),
        }))}
      />
      {chosen?.kind === 'signIn' && !isLocked && (
        // In the capture phase, because the button's click handler can leave the page.
        <div className={styles.signIn} onClickCapture={onLeave}>
          <SignInButton
            organizationId={organizationId}
            authorization={{ provider: provider as SignInProvider, returnTo }}
            from={from}
          >
            Sign in with {signInName(provider)}
          </SignInButton>
        </div>
      )}
    </section>
  );
}
