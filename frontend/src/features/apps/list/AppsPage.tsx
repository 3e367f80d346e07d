import { IconPlus } from '@tabler/icons-react';
import { useApps } from '~/api/apps';
import { plural } from '~/lib/numbers';
import { paths } from '~/domain/navigation/paths';
import { useSeenAt } from '~/lib/use-seen-at';
import { useTitle } from '~/lib/use-title';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { EmptyState } from '~/ui/feedback/EmptyState';
import { ErrorNotice } from '~/components/feedback/ErrorNotice';
import { GatedButton } from '~/ui/inputs/GatedButton';
import { icon } from '~/ui/icon';
import { Page, PageHeader } from '~/ui/layout/Page';
import { worstFirst } from '~/features/apps/app-state';
import { AppCard } from './AppCard';
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

export default function AppsPage() {
  useTitle('Apps');
  const { data, error, mutate } = useApps(useOrganizationId());
  const seenAt = useSeenAt(data);
  const isEmpty = data?.items.length === 0;
  return (
    <Page>
      <PageHeader
        title="Apps"
        status={data && !isEmpty && <span className="label">{plural(data.items.length, 'app')}, sorted by severity</span>}
        actions={isEmpty ? undefined : <ConnectButton size="sm" />}
      />
      {error !== undefined && (
        <ErrorNotice error={error} title="Couldn’t load your apps" seenAt={data ? seenAt : null} onRetry={() => void mutate()} />
      )}
      {!data && error === undefined && <TableSkeleton label="Loading apps" rows={3} widths={[32, '50%', 120]} />}
      {isEmpty && (
        <EmptyState title="No apps yet" action={<ConnectButton size="md" />}>
          An app is one sign-in with a provider. Sources and destinations use it.
        </EmptyState>
      )}
      {data && !isEmpty && (
        <ul className={styles.cards}>
          {worstFirst(data.items).map((app) => (
            <AppCard key={app.id} app={app} />
          ))}
        </ul>
      )}
    </Page>
  );
}
