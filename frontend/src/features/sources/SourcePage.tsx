import { Button } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, Navigate, useLocation, useParams } from 'react-router-dom';
import { useApp } from '~/api/apps';
import { useCatalog } from '~/api/catalog';
import { isNotFound } from '~/api/http/problem';
import { useSource } from '~/api/sources';
import type { Source } from '~/api/types';
import { formatDay } from '~/lib/dates';
import { plural } from '~/lib/numbers';
import { paths } from '~/domain/navigation/paths';
import { useNow } from '~/lib/use-now';
import { useTitle } from '~/lib/use-title';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import { DescriptionList } from '~/ui/data/DescriptionList';
import { GatedButton } from '~/ui/inputs/GatedButton';
import { Notice } from '~/ui/feedback/Notice';
import { Page, PageHeader } from '~/ui/layout/Page';
import { WithFacts } from '~/ui/layout/WithFacts';
import { providerName, ProviderMark } from '~/components/status/ProviderMark';
import { Status } from '~/components/status/Status';
import { DeleteSourceDialog } from './DeleteSourceDialog';
import { reconnectLink } from './reconnect-link';
import { SourceForm } from './SourceForm';
import { sourceTable } from '~/domain/connections/source-state';

function DeleteButton({ source }: { source: Source }) {
  const disabledReason = usePermissionGate('sources.write', 'delete');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <GatedButton
        align="end"
        variant="default"
        disabledReason={disabledReason}
        waitsFor={source.usedBy > 0 ? `Used by ${plural(source.usedBy, 'connection')}` : null}
        onClick={() => setOpen(true)}
      >
        Delete
      </GatedButton>
      {isOpen && <DeleteSourceDialog source={source} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Problem of a source and a link to fix it. */
function ProblemNotice({ source }: { source: Source }) {
  const organizationId = useOrganizationId();
  const disabledReason = usePermissionGate('apps.write', 'reconnect');
  if (source.state !== 'needs_reauth' && source.state !== 'needs_attention') return null;
  const mustReconnect = source.state === 'needs_reauth';
  const reconnect = reconnectLink(organizationId, source);
  return (
    <div style={{ marginBottom: 24 }}>
      <Notice
        tone={mustReconnect ? 'danger' : 'warn'}
        icon={mustReconnect ? IconPlugConnectedX : undefined}
        title={mustReconnect ? `${source.appName} needs to be reconnected` : 'An account of this source is closed or unavailable'}
        actions={
          mustReconnect ? (
            <GatedButton disabledReason={reconnect.isSignIn ? disabledReason : null} to={reconnect.to}>
              {reconnect.label}
            </GatedButton>
          ) : (
            <Button component={Link} to={paths.app(organizationId, source.appId)} variant="default">
              Open app
            </Button>
          )
        }
      >
        {mustReconnect
          ? 'Runs are blocked until then. Missed days load automatically afterwards.'
          : 'Deselect it below, or reopen it on the platform.'}
      </Notice>
    </div>
  );
}

function SourceFacts({ source }: { source: Source }) {
  const organizationId = useOrganizationId();
  const now = useNow(300_000);
  const day = (at: string | null) => (at ? formatDay(at, now) : '—');
  return (
    <DescriptionList
      facts={[
        { label: 'Platform', value: providerName(source.provider) },
        { label: 'App', value: <Link to={paths.app(organizationId, source.appId)}>{source.appName}</Link> },
        { label: 'Used by', value: source.usedBy === 0 ? 'Not used yet' : plural(source.usedBy, 'connection') },
        {
          label: 'Available from',
          value: source.earliestAvailable ? formatDay(source.earliestAvailable, now) : 'No limit',
        },
        { label: 'Earliest data', value: day(source.earliestDataAt) },
        { label: 'Latest data', value: day(source.latestDataAt) },
      ]}
    />
  );
}

function SourceView({ source }: { source: Source }) {
  const organizationId = useOrganizationId();
  const app = useApp(organizationId, source.appId);
  const catalog = useCatalog();
  const { word, tone, icon } = sourceTable[source.state];
  const isKnown = (app.data !== undefined || app.error !== undefined) && (catalog.data ?? catalog.error) !== undefined;
  return (
    <>
      <PageHeader
        title={source.name}
        parent={{ label: 'Sources', to: paths.sources(organizationId) }}
        mark={<ProviderMark provider={source.provider} size="lg" />}
        status={
          <Status icon={icon} tone={tone}>
            {word}
          </Status>
        }
        actions={<DeleteButton source={source} />}
      />
      <WithFacts facts={<SourceFacts source={source} />}>
        <ProblemNotice source={source} />
        {isKnown ? (
          <SourceForm
            key={source.id}
            source={source}
            listed={app.data?.accounts ?? []}
            connector={catalog.data?.connectors.find(({ provider }) => provider === source.provider)}
          />
        ) : (
          <TableSkeleton label="Loading accounts" rows={4} widths={['50%', '20%']} />
        )}
      </WithFacts>
    </>
  );
}

/** `/source/{id}/google|meta|microsoft|custom/configuration`. A path with the wrong platform is redirected. */
export default function SourcePage() {
  const organizationId = useOrganizationId();
  const { id = '' } = useParams();
  const { pathname } = useLocation();
  const { data: source, error, mutate } = useSource(organizationId, id);
  useTitle(source?.name ?? 'Source');
  if (isNotFound(error) && !source) throw error;
  const own = source && paths.source(organizationId, source.id, source.provider);
  if (own !== undefined && own !== pathname) return <Navigate to={own} replace />;
  return (
    <Page>
      <LoadedContent
        data={source}
        error={error}
        reload={mutate}
        errorTitle="Couldn’t load this source"
        skeleton={<TableSkeleton label="Loading the source" rows={5} widths={['50%', '20%']} />}
      >
        {(loaded) => <SourceView source={loaded} />}
      </LoadedContent>
    </Page>
  );
}
