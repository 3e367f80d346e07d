import { Link } from 'react-router-dom';
import type { Connection } from '~/api/types';
import { formatDay } from '~/lib/dates';
import { paths } from '~/domain/navigation/paths';
import { describeSchedule } from '~/domain/connections/schedule';
import { useNow } from '~/lib/use-now';
import { useOrganizationId } from '~/session/organization-context';
import { RouteMarks } from '~/components/status/ProviderMark';
import { Sparkline } from '~/ui/data/Sparkline';
import { ActiveSwitch } from '~/features/connections/ActiveSwitch';
import { activeRunOf } from '~/features/connections/describe-connection';
import styles from './ConnectionCards.module.css';
import { HealthCell } from './HealthCell';

function Card({ connection }: { connection: Connection }) {
  const organizationId = useOrganizationId();
  const now = useNow();
  const { completeThrough, health, schedule } = connection;
  const isQuiet = health === 'healthy' && activeRunOf(connection) === null;
  return (
    <li className={styles.card}>
      <div className={styles.head}>
        <RouteMarks from={connection.source.provider} to={connection.destination.provider} />
        <Link to={paths.connection(organizationId, connection.id)} className={styles.name}>
          {connection.name}
        </Link>
        <ActiveSwitch connection={connection} />
      </div>
      {!isQuiet && <HealthCell connection={connection} />}
      <div className={styles.foot}>
        <span>
          {isQuiet && 'Healthy · '}
          {completeThrough && `${isQuiet ? 'through' : 'Complete through'} ${formatDay(completeThrough, now)} · `}
          <span className="label">{describeSchedule(schedule)}</span>
        </span>
        <Sparkline days={connection.rowsByDay.slice(-18)} isFailing={health === 'failing'} />
      </div>
    </li>
  );
}

/** Connection list for phones. Healthy connections take two lines. */
export const ConnectionCards = ({ connections }: { connections: Connection[] }) => (
  <ul className={styles.cards}>
    {connections.map((connection) => (
      <Card key={connection.id} connection={connection} />
    ))}
  </ul>
);
