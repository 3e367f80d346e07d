import { Link } from 'react-router-dom';
import type { ConnectionPage } from '~/api/types';
import { HEALTHS, healthTable } from '~/domain/connections/connection-state';
import type { Health } from '~/domain/connections/connection-state';
import { formatCount } from '~/lib/numbers';
import { paths } from '~/domain/navigation/paths';
import { useOrganizationId } from '~/session/organization-context';
import { icon } from '~/ui/icon';
import { healthIcons } from '~/components/status/Status';
import styles from './Counters.module.css';

/** The other filters of the list, which a counter keeps. */
interface OtherFilters {
  search: string;
  tag: string | null;
}

interface CountersProps extends OtherFilters {
  counts: ConnectionPage['counts'];
  current: Health | null;
}

interface CounterProps extends OtherFilters {
  health: Health | null;
  count: number;
  isCurrent: boolean;
}

function Counter({ health, count, isCurrent, search, tag }: CounterProps) {
  const organizationId = useOrganizationId();
  const HealthIcon = health && healthIcons[health];
  return (
    <Link
      to={paths.connections(organizationId, { health: health ?? undefined, search: search || undefined, tag: tag ?? undefined })}
      className={styles.counter}
      aria-current={isCurrent ? 'true' : undefined}
    >
      <span className={styles.count}>
        {HealthIcon && <HealthIcon {...icon} color={`var(--t-${health ? healthTable[health].tone : 'idle'})`} />}
        {formatCount(count)}
      </span>
      <span className={styles.word}>{health ? healthTable[health].word : 'All'}</span>
    </Link>
  );
}

/** Number of connections by health. Each counter is a filter. Zero counters are hidden. */
export const Counters = ({ counts, current, ...others }: CountersProps) => (
  <nav className={styles.counters} aria-label="Filter by health">
    <Counter health={null} count={counts.all ?? 0} isCurrent={current === null} {...others} />
    {HEALTHS.filter((health) => (counts[health] ?? 0) > 0 || health === current).map((health) => (
      <Counter key={health} health={health} count={counts[health] ?? 0} isCurrent={health === current} {...others} />
    ))}
  </nav>
);
