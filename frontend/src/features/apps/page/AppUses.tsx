import { Link } from 'react-router-dom';
import { useAppImpact } from '~/api/app-access';
import type { App, AppImpact, Connection } from '~/api/types';
import { plural } from '~/lib/numbers';
import { paths } from '~/domain/navigation/paths';
import { useOrganizationId } from '~/session/organization-context';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import { Section } from '~/ui/layout/Page';
import { ProviderMark, RouteMarks } from '~/components/status/ProviderMark';
import { HealthStatus } from '~/components/status/Status';
import { appCan } from '~/features/apps/app-state';
import { usesOf } from '~/features/apps/describe-app';
import { LoadedConnections } from '~/features/apps/LoadedConnections';
import lines from '~/features/apps/Lines.module.css';
import type { AppConnections } from '~/features/apps/use-app-connections';
import { AffectedConnections } from '~/features/apps/AffectedConnections';
import styles from './AppPage.module.css';

/** Sources and destinations that use the app, with links to their pages. */
function SourcesAndDestinations({ app, impact }: { app: App; impact: AppImpact }) {
  const organizationId = useOrganizationId();
  const users = [
    ...impact.sources.map((one) => ({ ...one, kind: 'Source', to: paths.source(organizationId, one.id, app.provider) })),
    ...impact.destinations.map((one) => ({ ...one, kind: 'Destination', to: paths.destination(organizationId, one.id) })),
  ];
  return users.map(({ id, name, kind, to }) => (
    <li key={id}>
      <ProviderMark provider={app.provider} />
      <Link to={to} className={lines.name}>
        {name}
      </Link>
      <span className="label">{kind}</span>
    </li>
  ));
}

function Connections({ connections }: { connections: Connection[] }) {
  const organizationId = useOrganizationId();
  return connections.map((connection) => (
    <li key={connection.id}>
      <RouteMarks from={connection.source.provider} to={connection.destination.provider} />
      <Link to={paths.connection(organizationId, connection.id)} className={lines.name}>
        {connection.name}
      </Link>
      <span className={styles.reason}>{connection.healthReason}</span>
      <HealthStatus health={connection.health} />
    </li>
  ));
}

function UsedBy({ app, uses }: { app: App; uses: AppConnections }) {
  const { data: impact, error, mutate } = useAppImpact(useOrganizationId(), app.id);
  const mustReconnect = appCan.mustReconnect(app);
  const counts = usesOf(app).map(([count, what]) => plural(count, what));
  return (
    <Section title="Used by" aside={counts.join(', ') || 'Not used yet'}>
      <LoadedContent
        data={impact}
        error={error}
        reload={mutate}
        errorTitle="Couldn’t load the usage of this app"
        refreshError="nothing"
        skeleton={<TableSkeleton label="Loading usage" rows={2} widths={[20, '40%', 96]} />}
        isEmpty={() => counts.length === 0}
      >
        {(loaded) => (
          <ul className={lines.list}>
            <SourcesAndDestinations app={app} impact={loaded} />
          </ul>
        )}
      </LoadedContent>
      {!mustReconnect && (
        <LoadedConnections uses={uses}>
          {uses.connections.length === 0 ? (
            <p className={`quiet ${styles.none}`}>No connection uses this app yet.</p>
          ) : (
            <ul className={`${lines.list} ${styles.connections}`}>
              <Connections connections={uses.connections} />
            </ul>
          )}
        </LoadedConnections>
      )}
    </Section>
  );
}

/** Affected connections while the app needs to be reconnected, then all resources that use it. */
export const AppUses = ({ app, uses }: { app: App; uses: AppConnections }) => (
  <>
    {appCan.mustReconnect(app) && <AffectedConnections uses={uses} />}
    <UsedBy app={app} uses={uses} />
  </>
);
