import { Link } from 'react-router-dom';
import { useConnections } from '~/api/connections/connections';
import type { OrganizationEntry } from '~/api/types';
import { roleWords } from '~/domain/accounts/roles';
import { worstHealth } from '~/domain/connections/connection-state';
import { paths } from '~/domain/navigation/paths';
import { plural } from '~/lib/numbers';
import { OrganizationLogo } from '~/components/organization/OrganizationLogo';
import { HealthStatus } from '~/components/status/Status';
import styles from './OrganizationsPage.module.css';

/** The counts by health come with any page of the list. The row is complete without them if the request fails. */
function WorstHealth({ organizationId }: { organizationId: string }) {
  const { data } = useConnections(organizationId, { limit: 1 });
  const health = data && worstHealth(data.counts);
  return health ? <HealthStatus health={health} /> : null;
}

export function OrganizationRow({ organization }: { organization: OrganizationEntry }) {
  const { organizationId, companyName, logo, connectionsCount, role } = organization;
  return (
    <li>
      <Link to={paths.connections(organizationId)} className={styles.row}>
        <OrganizationLogo name={companyName} logo={logo} size={32} />
        <span className={styles.name}>
          {companyName}
          {role && <span className={styles.role}>{roleWords[role]}</span>}
        </span>
        {/* Each visit of platform staff is recorded, so the health is loaded for own organizations only. */}
        <span className={styles.facts}>
          {role && connectionsCount > 0 && <WorstHealth organizationId={organizationId} />}
          <span className={styles.count}>
            {connectionsCount === 0 ? 'No connections' : plural(connectionsCount, 'connection')}
          </span>
        </span>
      </Link>
    </li>
  );
}
