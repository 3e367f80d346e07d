import { IconPlus } from '@tabler/icons-react';
import { Link, Navigate, useLocation, useParams } from 'react-router-dom';
import { useApp } from '~/api/apps';
import { useDestinations } from '~/api/destinations';
import { SavedDestinationForm } from '~/components/destination-form/SavedDestinationForm';
import { TestEvent } from '~/components/destination-form/TestEvent';
import { isNotFound } from '~/api/http/problem';
import type { App, Destination } from '~/api/types';
import { paths } from '~/domain/navigation/paths';
import { providerWords } from '~/domain/accounts/providers';
import { useTitle } from '~/lib/use-title';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { EmptyState } from '~/ui/feedback/EmptyState';
import { ErrorNotice } from '~/components/feedback/ErrorNotice';
import { icon } from '~/ui/icon';
import { GatedButton } from '~/ui/inputs/GatedButton';
import { Page, PageHeader, Section } from '~/ui/layout/Page';
import { ProviderMark } from '~/components/status/ProviderMark';
import { AppStatus } from '~/features/apps/AppStatus';
import { SignInNotice } from '~/features/apps/page/SignInNotice';
import styles from './AppDestinations.module.css';

/** One destination of the app, with the same form as on its own page. */
function OneDestination({ destination }: { destination: Destination }) {
  const organizationId = useOrganizationId();
  const disabledReason = usePermissionGate('destinations.write');
  return (
    <Section
      title={destination.name}
      aside={<Link to={paths.destination(organizationId, destination.id)}>Open destination</Link>}
    >
      <SavedDestinationForm organizationId={organizationId} destination={destination} disabledReason={disabledReason} />
      {destination.provider === 'mixpanel' && (
        <TestEvent organizationId={organizationId} destination={destination} disabledReason={disabledReason} />
      )}
    </Section>
  );
}

function AddAnother({ app, isFirst }: { app: App; isFirst: boolean }) {
  const organizationId = useOrganizationId();
  const disabledReason = usePermissionGate('destinations.write', 'add a destination');
  const { name } = providerWords(app.provider);
  const button = (
    <GatedButton
      disabledReason={disabledReason}
      variant={isFirst ? 'filled' : 'default'}
      leftSection={<IconPlus {...icon} />}
      to={paths.newDestination(organizationId, { provider: app.provider, app: app.id })}
    >
      Add {name} destination
    </GatedButton>
  );
  if (!isFirst) return <div className={styles.another}>{button}</div>;
  return (
    <EmptyState title="No destinations yet" action={button}>
      A destination defines where in {name} rows are written. It uses the credentials of this app.
    </EmptyState>
  );
}

function AppDestinations({ app, destinations }: { app: App; destinations: Destination[] }) {
  const organizationId = useOrganizationId();
  return (
    <>
      <PageHeader
        title={`${providerWords(app.provider).name} configuration`}
        parent={{ label: app.displayName, to: paths.app(organizationId, app.id) }}
        mark={<ProviderMark provider={app.provider} size="lg" />}
        status={<AppStatus app={app} />}
      />
      <SignInNotice app={app} />
      {destinations.map((destination) => (
        <OneDestination key={destination.id} destination={destination} />
      ))}
      <AddAnother app={app} isFirst={destinations.length === 0} />
    </>
  );
}

/** `/app/{id}/bigquery|mixpanel/configuration`: destinations that use the app's credentials. */
export default function AppDestinationsPage() {
  const organizationId = useOrganizationId();
  const { id = '' } = useParams();
  const { pathname } = useLocation();
  const app = useApp(organizationId, id);
  const destinations = useDestinations(organizationId);
  useTitle(app.data ? `Configuration of ${app.data.displayName}` : 'Configuration');
  if (isNotFound(app.error) && !app.data) throw app.error;
  const own = app.data && paths.appConfiguration(organizationId, app.data.id, app.data.provider);
  if (own !== undefined && own !== pathname) return <Navigate to={own} replace />;
  const error: unknown = app.error ?? destinations.error;
  const isLoading = !app.data || !destinations.data;
  return (
    <Page width="form">
      {error !== undefined && isLoading && (
        <ErrorNotice
          error={error}
          title="Couldn’t load the configuration"
          onRetry={() => void Promise.all([app.mutate(), destinations.mutate()])}
        />
      )}
      {error === undefined && isLoading && (
        <TableSkeleton label="Loading the configuration" rows={5} widths={['40%', '30%', 100]} />
      )}
      {app.data && destinations.data && (
        <AppDestinations app={app.data} destinations={destinations.data.items.filter(({ appId }) => appId === id)} />
      )}
    </Page>
  );
}
