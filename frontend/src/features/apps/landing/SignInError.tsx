import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import type { SignInProvider } from '~/api/authorize-app';
import { SignInButton } from '~/components/sign-in/SignInButton';
import { ApiProblem } from '~/api/http/problem';
import { readFlowState } from '~/domain/navigation/flow-state';
import { providerWords } from '~/domain/accounts/providers';
import { useOrganizationId } from '~/session/organization-context';
import { describeError } from '~/api/http/describe-error';
import { Notice } from '~/ui/feedback/Notice';
import { backLinkOf } from './back-link';
import { describeSignInError } from './sign-in-errors';
import styles from './Landing.module.css';
import { LandingHead } from './LandingHead';

interface SignInErrorProps {
  provider: SignInProvider;
  /** The app to reconnect. */
  appId?: string;
  /** Null if no sign-in was started. */
  error: unknown;
}

function useBackLink(provider: SignInProvider, appId: string | undefined) {
  return backLinkOf(useOrganizationId(), readFlowState().storedFrom, provider, appId);
}

export function SignInError({ provider, appId, error }: SignInErrorProps) {
  const organizationId = useOrganizationId();
  const { message, requestId } = describeError(error);
  const { name } = providerWords(provider);
  const code = error === null ? 'oauth.not_started' : error instanceof ApiProblem ? error.code : '';
  const known = describeSignInError(code, provider, error === null ? '' : message);
  const description = known ?? {
    title: `Couldn’t connect ${name}`,
    text: message,
    again: 'Start again',
    tone: 'danger' as const,
  };
  const back = useBackLink(provider, appId);
  return (
    <>
      <LandingHead provider={provider} title={`${name} is not connected`} />
      <Notice tone={description.tone} title={description.title} isAlert>
        {description.text}
        {requestId && !known && (
          <>
            {' '}
            Request <code>{requestId}</code>
          </>
        )}
      </Notice>
      <div className={styles.buttons}>
        <SignInButton
          organizationId={organizationId}
          authorization={{ provider, appId, returnTo: back.to }}
          from={readFlowState().storedFrom}
        >
          {description.again}
        </SignInButton>
        <Button variant="default" component={Link} to={back.to}>
          {back.label}
        </Button>
      </div>
    </>
  );
}
