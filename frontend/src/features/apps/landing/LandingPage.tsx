import { useLocation, useParams, useSearchParams } from 'react-router-dom';
import type { AuthorizationAnswer } from '~/api/apps';
import { paths } from '~/domain/navigation/paths';
import { adPlatforms, providerWords } from '~/domain/accounts/providers';
import { readStateHint } from '~/domain/navigation/sign-in-state';
import { useTitle } from '~/lib/use-title';
import { useOrganizationId } from '~/session/organization-context';
import { FlowStepsWithBack } from '~/components/wizard/FlowSteps';
import { Brand } from '~/ui/data/Logo';
import { Page } from '~/ui/layout/Page';
import { Reconnected } from '~/features/apps/reauth/Reconnected';
import { OtherUser } from '~/features/apps/reauth/OtherUser';
import { ChooseAccounts } from './ChooseAccounts';
import styles from './Landing.module.css';
import { HandedOver } from './LandingHead';
import { Progress } from './Progress';
import { SignInError } from './SignInError';
import { useCompletion, useFinishedSignIn, useReplacedAddress } from './use-completion';

function Landing({ provider, answer }: { provider: string; answer: AuthorizationAnswer }) {
  const organizationId = useOrganizationId();
  const { completion, accept } = useCompletion(organizationId, answer);
  const appId = readStateHint(answer.state).appId ?? undefined;
  useReplacedAddress(completion, ({ app }) =>
    app.usedBy.sources > 0
      ? { to: paths.landing(organizationId, provider), keepsResult: true }
      : { to: paths.landing(organizationId, provider, { app: app.id }), keepsResult: false },
  );
  if (completion.phase === 'handedOver') return <HandedOver provider={provider} />;
  if (completion.phase === 'failed')
    return (
      <OtherUser provider={provider} appId={appId} error={completion.error} onAccept={accept}>
        <SignInError provider={provider} error={completion.error} />
      </OtherUser>
    );
  return <Progress provider={provider} />;
}

function Content({ provider }: { provider: string }) {
  const [parameters] = useSearchParams();
  const app = parameters.get('app');
  const state = parameters.get('state');
  const signedIn = useFinishedSignIn();
  if (signedIn !== null) return <Reconnected signedIn={signedIn} />;
  if (app !== null) return <ChooseAccounts appId={app} />;
  if (state === null) return <SignInError provider={provider} error={null} />;
  const answer = { state, code: parameters.get('code') ?? undefined, error: parameters.get('error') ?? undefined };
  return <Landing provider={provider} answer={answer} />;
}

/**
 * Redirect target of a platform's sign-in and account selection of a connected app. With `state` it first completes the
 * sign-in, with `app` it shows the selection immediately.
 */
export default function LandingPage() {
  const organizationId = useOrganizationId();
  const { pathname } = useLocation();
  const { provider: named } = useParams();
  const provider = named ?? adPlatforms.find((one) => paths.landing(organizationId, one) === pathname) ?? '';
  useTitle(providerWords(provider).name);
  const content = (
    <div className={styles.column}>
      <FlowStepsWithBack current="source" />
      <Content provider={provider} />
    </div>
  );
  // Meta's landing page uses the default layout and the others the empty layout, as specified.
  if (provider === 'meta_ads') return <Page>{content}</Page>;
  return (
    <div className={styles.frame}>
      <header>
        <Brand size={18} />
      </header>
      <main>{content}</main>
    </div>
  );
}
