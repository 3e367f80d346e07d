import { Checkbox } from '@mantine/core';
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
import { RowMenu } from './RowMenu';

interface CardProps {
  connection: Connection;
  isChosen: boolean;
  /** Null: connections are not being selected. */
  onToggle: (() => void) | null;
}

function Card({ connection, isChosen, onToggle }: CardProps) {
  const organizationId = useOrganizationId();
  const now = useNow();
  const { completeThrough, health, schedule } = connection;
  const isQuiet = health === 'healthy' && activeRunOf(connection) === null;
  return (
    <li className={styles.card}>
      <div className={styles.head}>
        {onToggle && <Checkbox checked={isChosen} onChange={onToggle} aria-label={`Select ${connection.name}`} />}
        <RouteMarks from={connection.source.provider} to={connection.destination.provider} />
        <Link to={paths.connection(organizationId, connection.id)} className={styles.name}>
          {connection.name}
        </Link>
        <ActiveSwitch connection={connection} />
        <RowMenu connection={connection} />
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

interface ConnectionCardsProps {
  connections: Connection[];
  isSelecting: boolean;
  chosen: string[];
  onChoose: (ids: string[]) => void;
}

/** Connection list for phones. Healthy connections take two lines. */
export function ConnectionCards({ connections, isSelecting, chosen, onChoose }: ConnectionCardsProps) {
  const toggle = (id: string) => onChoose(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  return (
    <ul className={styles.cards}>
      {connections.map((connection) => (
        <Card
          key={connection.id}
          connection={connection}
          isChosen={chosen.includes(connection.id)}
          onToggle={isSelecting ? () => toggle(connection.id) : null}
        />
      ))}
    </ul>
  );
}
