import { IconPlus } from '@tabler/icons-react';
import { useApps } from '~/api/apps';
import { plural } from '~/lib/numbers';
import { paths } from '~/domain/navigation/paths';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { Loading } from '~/ui/feedback/Skeleton';
import { EmptyState } from '~/ui/feedback/EmptyState';
import { ListPage } from '~/components/list/ListPage';
import { GatedButton } from '~/ui/inputs/GatedButton';
import { icon } from '~/ui/icon';
import { worstFirst } from '~/features/apps/app-state';
import { AppCard, AppCardSkeleton } from './AppCard';
import styles from './AppsPage.module.css';

function ConnectButton({ size }: { size: 'sm' | 'md' }) {
  const organizationId = useOrganizationId();
  const disabledReason = usePermissionGate('apps.write');
  return (
    <GatedButton
      align="end"
      disabledReason={disabledReason}
      to={paths.connectApp(organizationId)}
      size={size}
      leftSection={<IconPlus {...icon} />}
    >
      Connect app
    </GatedButton>
  );
}

const SKELETON_CARDS = 6;

const AppsSkeleton = () => (
  <Loading label="Loading apps">
    <ul className={styles.cards}>
      {Array.from({ length: SKELETON_CARDS }, (_, place) => (
        <AppCardSkeleton key={place} />
      ))}
    </ul>
  </Loading>
);

export default function AppsPage() {
  const { data, error, mutate } = useApps(useOrganizationId());
  const isEmpty = data?.items.length === 0;
  return (
    <ListPage
      title="Apps"
      status={data && !isEmpty && <span className="label">{plural(data.items.length, 'app')}, sorted by severity</span>}
      actions={isEmpty ? undefined : <ConnectButton size="sm" />}
      data={data}
      error={error}
      reload={mutate}
      errorTitle="Couldn’t load your apps"
      skeleton={<AppsSkeleton />}
      isEmpty={() => isEmpty}
      empty={
        <EmptyState title="No apps yet" action={<ConnectButton size="md" />}>
          An app is one sign-in with a provider. Sources and destinations use it.
        </EmptyState>
      }
    >
      {({ items }) => (
        <ul className={styles.cards}>
          {worstFirst(items).map((app) => (
            <AppCard key={app.id} app={app} />
          ))}
        </ul>
      )}
    </ListPage>
  );
}
