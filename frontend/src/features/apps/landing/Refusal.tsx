import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import type { SignInProvider } from '~/api/authorize-app';
import { SignInButton } from '~/components/sign-in/SignInButton';
import { ApiProblem } from '~/api/http/problem';
import { readFlowState } from '~/domain/navigation/flow-state';
import { paths } from '~/domain/navigation/paths';
import { providerWords } from '~/domain/accounts/providers';
import { useOrganizationId } from '~/session/organization-context';
import { describeError } from '~/api/http/describe-error';
import { Notice } from '~/ui/feedback/Notice';
import { endingOf } from './endings';
import styles from './Landing.module.css';
import { LandingHead } from './LandingHead';

interface RefusalProps {
  provider: SignInProvider;
  /** The app that was to be reconnected. */
  appId?: string;
  /** Null: nobody was asked at all. */
  error: unknown;
}

/** Where a refused sign-in leads back to: the wizard it began in, or the apps. */
function useWayBack(appId: string | undefined) {
  const organizationId = useOrganizationId();
  if (readFlowState().storedFrom === 'connection')
    return { label: 'Back to the connection', to: paths.createConnection(organizationId, { step: 'source' }) };
  return appId
    ? { label: 'Back to the app', to: paths.app(organizationId, appId) }
    : { label: 'Back to apps', to: paths.apps(organizationId) };
}

export function Refusal({ provider, appId, error }: RefusalProps) {
  const organizationId = useOrganizationId();
  const { message, requestId } = describeError(error);
  const { name } = providerWords(provider);
  const code = error === null ? 'oauth.not_under_way' : error instanceof ApiProblem ? error.code : '';
  const known = endingOf(code, provider, error === null ? '' : message);
  const ending = known ?? {
    title: `${name} could not be connected`,
    text: message,
    again: 'Start again',
    tone: 'danger' as const,
  };
  const back = useWayBack(appId);
  return (
    <>
      <LandingHead provider={provider} title={`${name} is not connected`} />
      <Notice tone={ending.tone} title={ending.title} isAlert>
        {ending.text}
        {requestId && !known && (
          <>
            {' '}
            Request <code>{requestId}</code>
          </>
        )}
      </Notice>
      <div className={styles.buttons}>
        <SignInButton organizationId={organizationId} authorization={{ provider, appId, returnTo: back.to }} from={null}>
          {ending.again}
        </SignInButton>
        <Button variant="default" component={Link} to={back.to}>
          {back.label}
        </Button>
      </div>
    </>
  );
}
