import { useLocation, useSearchParams } from 'react-router-dom';
import type { AuthorizationAnswer } from '~/api/apps';
import { useApp } from '~/api/apps';
import type { SignInProvider } from '~/api/authorize-app';
import { paths } from '~/domain/navigation/paths';
import { adPlatforms, signInName } from '~/domain/accounts/providers';
import { readStateHint } from '~/domain/navigation/sign-in-state';
import { useTitle } from '~/lib/use-title';
import { useOrganizationId } from '~/session/organization-context';
import { Page } from '~/ui/layout/Page';
import { HandedOver } from '~/features/apps/landing/LandingHead';
import { Progress } from '~/features/apps/landing/Progress';
import { SignInError } from '~/features/apps/landing/SignInError';
import { useCompletion, useFinishedSignIn, useReplacedAddress } from '~/features/apps/landing/use-completion';
import { Reconnected } from './Reconnected';
import { AppsToReconnect } from './AppsToReconnect';
import { OtherUser } from './OtherUser';
import styles from './Reauth.module.css';

interface AnswerProps {
  platform: SignInProvider;
  answer: AuthorizationAnswer;
}

function Answer({ platform, answer }: AnswerProps) {
  const organizationId = useOrganizationId();
  const { completion, accept } = useCompletion(organizationId, answer);
  const { pathname } = useLocation();
  useReplacedAddress(completion, () => ({ to: pathname, keepsResult: true }));
  const { appId } = readStateHint(answer.state);
  const { data: app } = useApp(organizationId, appId);
  // Google's page also serves BigQuery. The provider is known once the app is loaded.
  const provider = (app?.provider ?? platform) as SignInProvider;
  if (completion.phase === 'handedOver') return <HandedOver provider={provider} />;
  if (completion.phase !== 'failed') return <Progress provider={provider} />;
  return (
    <OtherUser provider={provider} appId={appId ?? undefined} error={completion.error} onAccept={accept}>
      <SignInError provider={provider} appId={app?.id} error={completion.error} />
    </OtherUser>
  );
}

function Content({ platform }: { platform: SignInProvider }) {
  const [parameters] = useSearchParams();
  const signedIn = useFinishedSignIn();
  const state = parameters.get('state');
  if (signedIn !== null) return <Reconnected signedIn={signedIn} />;
  if (state === null) return <AppsToReconnect platform={platform} />;
  const answer = { state, code: parameters.get('code') ?? undefined, error: parameters.get('error') ?? undefined };
  return <Answer platform={platform} answer={answer} />;
}

/** Redirect target after a reconnect. Opened without a sign-in, it lists the platform's apps that need a reconnect. */
export default function ReauthPage() {
  const { pathname } = useLocation();
  const platform = adPlatforms.find((one) => paths.reauth(one) === pathname) ?? 'google_ads';
  useTitle(`Reconnect ${signInName(platform)}`);
  return (
    <Page>
      <div className={styles.column}>
        <Content platform={platform} />
      </div>
    </Page>
  );
}
