import { Button } from '@mantine/core';
import { useNavigate } from 'react-router-dom';
import { useSWRConfig } from 'swr';
import { keys } from '~/api/http/keys';
import { restoreOrganization, useDeletedOrganizations } from '~/api/organization';
import type { DeletedOrganization } from '~/api/types';
import { formatNearDay, localDay } from '~/lib/dates';
import { paths } from '~/domain/navigation/paths';
import { useAction } from '~/lib/use-action';
import { useNow } from '~/lib/use-now';
import { OrganizationLogo } from './OrganizationLogo';
import { toast } from '~/components/feedback/toast';
import styles from './OfferedOrganizations.module.css';
import { useSession } from '~/session/session-context';

function Row({ organization }: { organization: DeletedOrganization }) {
  const now = useNow();
  const { mutate } = useSWRConfig();
  const { refreshOrganizations } = useSession();
  const navigate = useNavigate();
  const { run, isBusy } = useAction({ onError: toast.failed });
  const { id, name, logo, purgeAt } = organization;
  const restore = async () => {
    await restoreOrganization(id);
    // Without what is known of it: a guard that reads that it is missing would leave its pages again.
    await mutate(keys.document(id), undefined);
    await refreshOrganizations().catch(() => undefined);
    void mutate(keys.deletedOrganizations());
    toast.done(`${name} restored`);
    await navigate(paths.connections(id));
  };
  return (
    <li className={styles.item}>
      <div className={styles.row}>
        <OrganizationLogo name={name} logo={logo} size={32} />
        <span className={styles.texts}>
          <span className={styles.name}>{name}</span>
          <span className="label">Can be restored until {formatNearDay(localDay(new Date(purgeAt)), now)}</span>
        </span>
        <Button variant="default" loading={isBusy} onClick={() => void run(restore)} aria-label={`Restore ${name}`}>
          Restore
        </Button>
      </div>
    </li>
  );
}

/** Deleted organizations that the user can restore. Renders nothing when there are none or when the request fails. */
export function DeletedOrganizations() {
  const { data } = useDeletedOrganizations();
  if (!data || data.items.length === 0) return null;
  return (
    <section className={styles.section} aria-label="Deleted">
      <h2>Deleted</h2>
      <ul className={styles.list}>
        {data.items.map((organization) => (
          <Row key={organization.id} organization={organization} />
        ))}
      </ul>
    </section>
  );
}
