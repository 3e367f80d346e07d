import { Link } from 'react-router-dom';
import type { Connection } from '~/api/types';
import { formatNearDay } from '~/lib/dates';
import { plural } from '~/lib/numbers';
import { paths } from '~/domain/navigation/paths';
import { useNow } from '~/lib/use-now';
import { useOrganizationId } from '~/session/organization-context';
import { Section } from '~/ui/layout/Page';
import { RouteMarks } from '~/components/status/ProviderMark';
import { LoadedConnections } from './LoadedConnections';
import styles from './Lines.module.css';
import type { AppConnections } from './use-app-connections';
import { missedDays, describeMissedDays, missingSince } from './missed-days';

function MissedDays({ connection }: { connection: Connection }) {
  const now = useNow(300_000);
  if (connection.desired === 'paused') return <span className={styles.aside}>Paused</span>;
  const days = missedDays(connection, now);
  const since = missingSince(connection, now);
  if (since === null) return <span className={styles.aside}>No missed days</span>;
  return (
    <>
      <span>{plural(days, 'day')} missed</span>
      <span className={styles.aside}>since {formatNearDay(since, now)}</span>
    </>
  );
}

function Connections({ connections }: { connections: Connection[] }) {
  const organizationId = useOrganizationId();
  if (connections.length === 0) return <p className="quiet">No connections are affected.</p>;
  return (
    <ul className={styles.list}>
      {connections.map((connection) => (
        <li key={connection.id}>
          <RouteMarks from={connection.source.provider} to={connection.destination.provider} />
          <Link to={paths.connection(organizationId, connection.id)} className={styles.name}>
            {connection.name}
          </Link>
          <MissedDays connection={connection} />
        </li>
      ))}
    </ul>
  );
}

/** Connections that are blocked while the app needs to be reconnected, each with its number of missed days. */
export function AffectedConnections({ uses }: { uses: AppConnections }) {
  const now = useNow(300_000);
  return (
    <Section title="Affected connections" aside={uses.isKnown ? describeMissedDays(uses.connections, now) : null}>
      <LoadedConnections uses={uses}>
        <Connections connections={uses.connections} />
      </LoadedConnections>
    </Section>
  );
}
