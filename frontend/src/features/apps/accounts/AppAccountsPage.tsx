import { Navigate, useLocation, useParams } from 'react-router-dom';
import { useApp } from '~/api/apps';
import { isNotFound } from '~/api/http/problem';
import type { App } from '~/api/types';
import { paths } from '~/domain/navigation/paths';
import { providerWords } from '~/domain/accounts/providers';
import { useTitle } from '~/lib/use-title';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import { Page, PageHeader } from '~/ui/layout/Page';
import { ProviderMark } from '~/components/status/ProviderMark';
import { SettingRow } from '~/ui/layout/SettingRow';
import { AppStatus } from '~/features/apps/AppStatus';
import { RefreshAccountsButton } from '~/features/apps/RefreshAccountsButton';
import { SignInNotice } from '~/features/apps/page/SignInNotice';
import { AppDefaults } from './AppDefaults';
import { Managers } from './Managers';
import { NewSource } from './NewSource';
import { ProbeResult } from './ProbeResult';

function Sections({ app }: { app: App }) {
  const appsClosed = usePermissionGate('apps.write', 'test the access');
  const { name } = providerWords(app.provider);
  return (
    <>
      <SettingRow title="Sign-in" hint="Tests access and refreshes the account list.">
        <ProbeResult app={app} disabledReason={appsClosed} />
      </SettingRow>
      <SettingRow title="Managers" hint="Manager through which each account is accessible. Read-only, set on the platform.">
        <Managers app={app} />
      </SettingRow>
      <SettingRow title="New source" hint={`A source is a selection of ${name} accounts. Connections read from it.`}>
        <NewSource app={app} aside={<RefreshAccountsButton app={app} />} />
      </SettingRow>
    </>
  );
}

function AppAccountsView({ app }: { app: App }) {
  const organizationId = useOrganizationId();
  return (
    <>
      <PageHeader
        title="Accounts and defaults"
        parent={{ label: app.displayName, to: paths.app(organizationId, app.id) }}
        mark={<ProviderMark provider={app.provider} size="lg" />}
        status={<AppStatus app={app} />}
      />
      <SignInNotice app={app} />
      <Sections app={app} />
      <AppDefaults app={app} />
    </>
  );
}

/** `/app/{id}/google|meta|microsoft/configuration`: accounts the app can access, new sources and their defaults. */
export default function AppAccountsPage() {
  const organizationId = useOrganizationId();
  const { id = '' } = useParams();
  const { pathname } = useLocation();
  const { data: app, error, mutate } = useApp(organizationId, id);
  useTitle(app ? `Accounts of ${app.displayName}` : 'Accounts');
  if (isNotFound(error) && !app) throw error;
  const own = app && paths.appConfiguration(organizationId, app.id, app.provider);
  if (own !== undefined && own !== pathname) return <Navigate to={own} replace />;
  return (
    <Page width="form">
      <LoadedContent
        data={app}
        error={error}
        reload={mutate}
        errorTitle="Couldn’t load this app"
        skeleton={<TableSkeleton label="Loading the accounts" rows={5} widths={['40%', '30%', 100]} />}
      >
        {(loaded) => <AppAccountsView app={loaded} />}
      </LoadedContent>
    </Page>
  );
}
