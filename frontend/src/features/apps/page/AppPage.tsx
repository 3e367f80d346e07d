import { useParams } from 'react-router-dom';
import { useApp } from '~/api/apps';
import { isNotFound } from '~/api/http/problem';
import type { App } from '~/api/types';
import { hasAccountsToChoose } from '~/domain/accounts/providers';
import { paths } from '~/domain/navigation/paths';
import { useTitle } from '~/lib/use-title';
import { useOrganizationId } from '~/session/organization-context';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import { Page, PageHeader } from '~/ui/layout/Page';
import { WithFacts } from '~/ui/layout/WithFacts';
import { ProviderMark } from '~/components/status/ProviderMark';
import { appCan } from '~/features/apps/app-state';
import { AppStatus } from '~/features/apps/AppStatus';
import { useAppConnections } from '~/features/apps/use-app-connections';
import { ReconnectSteps } from '~/features/apps/ReconnectSteps';
import { AppAccounts } from './AppAccounts';
import { AppActions } from './AppActions';
import { AppFacts } from './AppFacts';
import { AppUses } from './AppUses';
import { SignInHistory } from './SignInHistory';
import { SignInNotice } from './SignInNotice';
import { KeyApp } from './KeyApp';
import { StripeApp } from './StripeApp';

function AppView({ app }: { app: App }) {
  const organizationId = useOrganizationId();
  const uses = useAppConnections(app);
  const isStripe = app.authMode === 'api_key' && !hasAccountsToChoose(app.provider);
  const isKey = app.authMode === 'api_key' && !isStripe;
  return (
    <>
      <PageHeader
        title={app.displayName}
        parent={{ label: 'Apps', to: paths.apps(organizationId) }}
        mark={<ProviderMark provider={app.provider} size="lg" />}
        status={<AppStatus app={app} />}
        actions={<AppActions app={app} />}
      />
      <SignInNotice app={app} />
      <WithFacts facts={<AppFacts app={app} />}>
        {isStripe ? <StripeApp app={app} /> : <AppUses app={app} uses={uses} />}
        {appCan.needsSignIn(app) && <ReconnectSteps app={app} connections={uses.connections} />}
        {isKey && <KeyApp app={app} />}
        <SignInHistory app={app} />
        {!isStripe && <AppAccounts app={app} />}
      </WithFacts>
    </>
  );
}

export default function AppPage() {
  const organizationId = useOrganizationId();
  const { id = '' } = useParams();
  const { data: app, error, mutate } = useApp(organizationId, id);
  useTitle(app?.displayName ?? 'App');
  if (isNotFound(error) && !app) throw error;
  return (
    <Page>
      <LoadedContent
        data={app}
        error={error}
        reload={mutate}
        errorTitle="Couldn’t load this app"
        skeleton={<TableSkeleton label="Loading the app" rows={5} widths={['40%', '30%', 100]} />}
      >
        {(loaded) => <AppView app={loaded} />}
      </LoadedContent>
    </Page>
  );
}
