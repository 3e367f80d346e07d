import { Link, useParams } from 'react-router-dom';
import { useDestination } from '~/api/destinations';
import { SavedDestinationForm } from '~/components/destination-form/SavedDestinationForm';
import { TestEvent } from '~/components/destination-form/TestEvent';
import { isNotFound } from '~/api/http/problem';
import type { Destination } from '~/api/types';
import { paths } from '~/domain/navigation/paths';
import { signInName } from '~/domain/accounts/providers';
import { useTitle } from '~/lib/use-title';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import { GatedButton } from '~/ui/inputs/GatedButton';
import { Notice } from '~/ui/feedback/Notice';
import { Page, PageHeader } from '~/ui/layout/Page';
import { ProviderMark } from '~/components/status/ProviderMark';
import { RelativeTime } from '~/ui/data/RelativeTime';
import { Status } from '~/components/status/Status';
import { DestinationActions } from './DestinationActions';
import { destinationTable, stateWord } from './destination-state';
import { NewDestinationPage } from './NewDestinationPage';
import { TablesWritten } from './TablesWritten';

/** The failure of the destination, with a reconnect button for OAuth destinations. */
function Failure({ destination }: { destination: Destination }) {
  const { failure, authMode, state, appId, provider } = destination;
  const disabledReason = usePermissionGate('apps.write', 'reconnect');
  if (!failure) return null;
  const mustSignIn = authMode === 'oauth2' && state === 'needs_reauth';
  return (
    <div style={{ marginBottom: 24 }}>
      <Notice
        tone="danger"
        title={failure.message}
        actions={
          mustSignIn && (
            <GatedButton disabledReason={disabledReason} to={paths.reauth(provider, { app: appId })}>
              Reconnect with {signInName(provider)}
            </GatedButton>
          )
        }
      >
        {failure.action}
      </Notice>
    </div>
  );
}

function Access({ destination }: { destination: Destination }) {
  const organizationId = useOrganizationId();
  return (
    <p>
      Writes to <code>{destination.target}</code> with{' '}
      <Link to={paths.app(organizationId, destination.appId)}>{destination.appName}</Link>
      {destination.lastCheck && (
        <>
          , tested <RelativeTime at={destination.lastCheck.at} isFocusable />
        </>
      )}
    </p>
  );
}

function SavedDestination({ destination }: { destination: Destination }) {
  const organizationId = useOrganizationId();
  const disabledReason = usePermissionGate('destinations.write');
  const state = destinationTable[destination.state];
  return (
    <>
      <PageHeader
        title={destination.name}
        parent={{ label: 'Destinations', to: paths.destinations(organizationId) }}
        mark={<ProviderMark provider={destination.provider} size="lg" />}
        status={
          <Status icon={state.icon} tone={state.tone}>
            {stateWord(destination)}
          </Status>
        }
        subtitle={<Access destination={destination} />}
        actions={<DestinationActions destination={destination} />}
      />
      <Failure destination={destination} />
      <SavedDestinationForm
        organizationId={organizationId}
        destination={destination}
        disabledReason={disabledReason}
        shownAbove={destination.failure?.message}
      />
      {destination.provider === 'mixpanel' && (
        <TestEvent organizationId={organizationId} destination={destination} disabledReason={disabledReason} />
      )}
      <TablesWritten destination={destination} />
    </>
  );
}

function DestinationById({ id }: { id: string }) {
  const organizationId = useOrganizationId();
  const { data: destination, error, mutate } = useDestination(organizationId, id);
  useTitle(destination?.name ?? 'Destination');
  if (isNotFound(error) && !destination) throw error;
  return (
    <Page width="form">
      <LoadedContent
        data={destination}
        error={error}
        reload={mutate}
        errorTitle="Couldn’t load this destination"
        skeleton={<TableSkeleton label="Loading the destination" rows={5} widths={['50%', '20%']} />}
      >
        {(loaded) => <SavedDestination destination={loaded} />}
      </LoadedContent>
    </Page>
  );
}

export default function DestinationPage() {
  const { id = '' } = useParams();
  return id === 'new' ? <NewDestinationPage /> : <DestinationById id={id} />;
}
