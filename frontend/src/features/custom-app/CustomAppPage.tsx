import { Navigate, useParams, useSearchParams } from 'react-router-dom';
import { useApp } from '~/api/apps';
import { isNotFound } from '~/api/http/problem';
import type { App } from '~/api/types';
import { paths } from '~/domain/navigation/paths';
import { useTitle } from '~/lib/use-title';
import { useOrganizationId } from '~/session/organization-context';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import { Page, PageHeader } from '~/ui/layout/Page';
import { ProviderMark } from '~/components/status/ProviderMark';
import { TabLinks } from '~/ui/layout/TabLinks';
import { PushTab } from './PushTab';
import { RequestTab } from './RequestTab';

function CustomApp({ app }: { app: App }) {
  const organizationId = useOrganizationId();
  const [parameters] = useSearchParams();
  const current = parameters.get('tab') === 'push' ? 'push' : 'request';
  const tabs = [
    { key: 'request', label: 'Request an integration', to: paths.customApp(organizationId, app.id) },
    { key: 'push', label: 'Push endpoint', to: paths.customApp(organizationId, app.id, { tab: 'push' }) },
  ];
  return (
    <>
      <PageHeader
        title={app.displayName}
        parent={{ label: 'Apps', to: paths.apps(organizationId) }}
        mark={<ProviderMark provider={app.provider} size="lg" />}
        subtitle="Request a missing integration, or push events from any system to your own endpoint."
      />
      <TabLinks label="Custom app" tabs={tabs} current={current} />
      {current === 'push' ? <PushTab appId={app.id} /> : <RequestTab appId={app.id} />}
    </>
  );
}

/** `/app/{id}/custom-submission`. Apps of other providers are redirected to their page. */
export default function CustomAppPage() {
  const organizationId = useOrganizationId();
  const { id = '' } = useParams();
  const { data: app, error, mutate } = useApp(organizationId, id);
  useTitle(app?.displayName ?? 'Custom app');
  if (isNotFound(error) && !app) throw error;
  if (app && app.provider !== 'custom') return <Navigate to={paths.app(organizationId, app.id)} replace />;
  return (
    <Page width="form">
      <LoadedContent
        data={app}
        error={error}
        reload={mutate}
        errorTitle="Couldn’t load this app"
        skeleton={<TableSkeleton label="Loading the app" rows={5} widths={['40%', '30%', 100]} />}
      >
        {(loaded) => <CustomApp app={loaded} />}
      </LoadedContent>
    </Page>
  );
}
