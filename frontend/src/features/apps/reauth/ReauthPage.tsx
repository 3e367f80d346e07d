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
import { useCompletion } from '~/features/apps/landing/use-completion';
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
  const { appId } = readStateHint(answer.state);
  const { data: app } = useApp(organizationId, appId);
  // Google's page also serves BigQuery. The provider is known once the app is loaded.
  const provider = (app?.provider ?? platform) as SignInProvider;
  if (completion.phase === 'working') return <Progress provider={provider} />;
  if (completion.phase === 'handedOver') return <HandedOver provider={provider} />;
  if (completion.phase === 'done') return <Reconnected signedIn={completion.signedIn} />;
  return (
    <OtherUser provider={provider} appId={appId ?? undefined} error={completion.error} onAccept={accept}>
      <SignInError provider={provider} appId={app?.id} error={completion.error} />
    </OtherUser>
  );
}

/** Redirect target after a reconnect. Opened without a sign-in, it lists the platform's apps that need a reconnect. */
export default function ReauthPage() {
  const { pathname } = useLocation();
  const [parameters] = useSearchParams();
  const platform = adPlatforms.find((one) => paths.reauth(one) === pathname) ?? 'google_ads';
  useTitle(`Reconnect ${signInName(platform)}`);
  const state = parameters.get('state');
  const answer = { code: parameters.get('code') ?? undefined, error: parameters.get('error') ?? undefined };
  return (
    <Page>
      <div className={styles.column}>
        {state === null ? <AppsToReconnect platform={platform} /> : <Answer platform={platform} answer={{ state, ...answer }} />}
      </div>
    </Page>
  );
}
