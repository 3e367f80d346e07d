import { Link } from 'react-router-dom';
import type { App, Connection } from '../../../api/types';
import { plural } from '../../../lib/numbers';
import { paths } from '../../../lib/paths';
import { useNow } from '../../../lib/use-now';
import { useOrganizationId } from '../../../session/organization-context';
import { Section } from '../../../ui/Page';
import { RouteMarks } from '../../../ui/ProviderMark';
import { HealthStatus } from '../../../ui/Status';
import { appCan } from '../app-state';
import lines from '../Lines.module.css';
import { describeWaiting } from '../waiting';
import { WaitingList } from '../WaitingList';
import styles from './AppPage.module.css';

function Uses({ connections }: { connections: Connection[] }) {
  const organizationId = useOrganizationId();
  if (connections.length === 0) return <p className="quiet">No connection uses it yet.</p>;
  return (
    <ul className={lines.list}>
      {connections.map((connection) => (
        <li key={connection.id}>
          <RouteMarks from={connection.source.provider} to={connection.destination.provider} />
          <Link to={paths.connection(organizationId, connection.id)} className={lines.name}>
            {connection.name}
          </Link>
          <span className={styles.reason}>{connection.healthReason}</span>
          <HealthStatus health={connection.health} />
        </li>
      ))}
    </ul>
  );
}

/** The connections that use this app; while it is dead, what waits. */
export function AppUses({ app, connections }: { app: App; connections: Connection[] }) {
  const now = useNow(300_000);
  const isDead = appCan.mustReconnect(app);
  return (
    <Section
      title={isDead ? 'What waits' : 'Used by'}
      aside={isDead ? describeWaiting(connections, now) : plural(connections.length, 'connection')}
    >
      {isDead ? <WaitingList connections={connections} /> : <Uses connections={connections} />}
    </Section>
  );
}
