import { Button } from '@mantine/core';
import type { SignInProvider } from '~/api/authorize-app';
import { SignInButton } from '~/components/sign-in/SignInButton';
import { ApiProblem } from '~/api/http/problem';
import type { AdAccount, OtherUser as OtherUserFacts } from '~/api/types';
import { formatAccountId } from '~/domain/accounts/account-tree';
import { plural } from '~/lib/numbers';
import { paths } from '~/domain/navigation/paths';
import { useAction } from '~/lib/use-action';
import { sentence } from '~/lib/sentence';
import { signInName } from '~/domain/accounts/providers';
import { useOrganizationId } from '~/session/organization-context';
import { ErrorText } from '~/components/feedback/ErrorText';
import { Notice } from '~/ui/feedback/Notice';
import { LandingHead } from '~/features/apps/landing/LandingHead';
import landing from '~/features/apps/landing/Landing.module.css';
import styles from './Reauth.module.css';

const Accounts = ({ title, accounts }: { title: string; accounts: AdAccount[] }) =>
  accounts.length === 0 ? null : (
    <section aria-label={title} className={styles.accounts}>
      <h2>{title}</h2>
      <ul>
        {accounts.map(({ externalId, name }) => (
          <li key={externalId}>
            {name} <code className="quiet">{formatAccountId(externalId)}</code>
          </li>
        ))}
      </ul>
    </section>
  );

const consequenceOf = ({ missingAccounts }: OtherUserFacts): string =>
  missingAccounts.length === 0
    ? 'This user can access all ad accounts of the app. No changes were made yet.'
    : `This user can’t access ${plural(missingAccounts.length, 'ad account')} of this app. They would stop loading. No changes were made yet.`;

interface OtherUserProps {
  provider: SignInProvider;
  appId: string | undefined;
  error: unknown;
  onAccept: () => Promise<void>;
  /** Rendered for all other errors. */
  children: React.ReactNode;
}

/** Another user signed in. Lists the accounts that differ and requires a confirmation. */
export function OtherUser({ provider, appId, error, onAccept, children }: OtherUserProps) {
  const organizationId = useOrganizationId();
  const { run, isBusy, error: acceptError } = useAction();
  if (!(error instanceof ApiProblem) || !error.otherUser) return children;
  const other = error.otherUser;
  const expected = other.expected ?? 'the same user';
  return (
    <>
      <LandingHead provider={provider} title={`Another ${signInName(provider)} user signed in`} />
      <Notice tone="warn" title={`${other.found ?? 'Another user'} instead of ${expected}`} isAlert>
        {consequenceOf(other)} {sentence(error.action ?? '')}
      </Notice>
      <Accounts title="Loses access to" accounts={other.missingAccounts} />
      <Accounts title="Gains access to" accounts={other.addedAccounts} />
      {acceptError !== null && <ErrorText error={acceptError} />}
      <div className={landing.buttons}>
        <SignInButton
          organizationId={organizationId}
          from={null}
          authorization={{ provider, appId, returnTo: appId ? paths.app(organizationId, appId) : paths.apps(organizationId) }}
        >
          Sign in as {expected}
        </SignInButton>
        <Button variant="default" loading={isBusy} onClick={() => void run(onAccept)}>
          Continue as {other.found ?? 'this user'}
        </Button>
      </div>
    </>
  );
}
