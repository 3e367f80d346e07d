import { Link } from 'react-router-dom';
import { useConnections } from '~/api/connections/connections';
import { paths } from '~/domain/navigation/paths';
import { useOrganizationId } from '~/session/organization-context';
import styles from './Subscription.module.css';

/** More would hide the plan below; the others are read from these. */
const SHOWN = 4;

/** By name, to be read: each keeps its runs, its coverage and its settings. The list is its first page; `count` is of all. */
export function WaitingConnections({ count }: { count: number }) {
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
