import { Link } from 'react-router-dom';
import { useConnections } from '~/api/connections/connections';
import { paths } from '~/domain/navigation/paths';
import { useOrganizationId } from '~/session/organization-context';
import styles from './Subscription.module.css';

/** Limits the list, so that the plan below stays visible. */
const SHOWN = 4;

/** Names of blocked connections, from the first page of connections. `count` is the total. */
export function StoppedConnections({ count }: { count: number }) {
  const organizationId = useOrganizationId();
  const { data } = useConnections(organizationId, { limit: 50 });
  const shown = data?.items.filter(({ desired }) => desired === 'active').slice(0, SHOWN) ?? [];
  if (shown.length === 0) return null;
  const more = count - shown.length;
  return (
    <span className={styles.waiting}>
      {shown.map(({ id, name }) => (
        <Link key={id} to={paths.connection(organizationId, id)}>
          {name}
        </Link>
      ))}
      {more > 0 && <span>and {more} more</span>}
    </span>
  );
}
