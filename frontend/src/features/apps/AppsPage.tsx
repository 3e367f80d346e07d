import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { useApps } from '../../api/apps';
import type { App } from '../../api/types';
import { plural } from '../../lib/numbers';
import { paths } from '../../lib/paths';
import { useSeenAt } from '../../lib/use-seen-at';
import { useTitle } from '../../lib/use-title';
import { useOrganizationId, useRoleGate } from '../../session/organization-context';
import { TableBones } from '../../ui/Bone';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorNotice } from '../../ui/ErrorNotice';
import { icon } from '../../ui/icon';
import { Page, PageHeader } from '../../ui/Page';
import { providerName, ProviderMark } from '../../ui/ProviderMark';
import { AppStatus } from './AppStatus';
import styles from './AppsPage.module.css';

const usedText = ({ usedBy }: App): string =>
  usedBy.connections > 0 ? `Used by ${plural(usedBy.connections, 'connection')}` : 'Not used yet';

function Card({ app }: { app: App }) {
  const organizationId = useOrganizationId();
  return (
    <li className={styles.card}>
      <ProviderMark provider={app.provider} size="lg" />
      <div className={styles.text}>
        <Link to={paths.app(organizationId, app.id)} className={styles.name}>
          {app.displayName}
        </Link>
        <p className="label">
          {providerName(app.provider)}, {app.externalUser ?? app.credentialHint ?? app.roles.join(', ')}
        </p>
      </div>
      <dl className={styles.facts}>
        <dt className="visually-hidden">State</dt>
        <dd>
          <AppStatus app={app} />
        </dd>
        <dt className="visually-hidden">Use</dt>
        <dd className="label">
          {app.accounts.length > 0 && `${plural(app.accounts.length, 'account')}. `}
          {usedText(app)}
        </dd>
      </dl>
    </li>
  );
}

function ConnectButton({ size }: { size: 'sm' | 'md' }) {
  const organizationId = useOrganizationId();
  const closedBecause = useRoleGate('manageApps');
  if (closedBecause !== null) return <span className="label">{closedBecause}</span>;
  return (
    <Button component={Link} to={paths.connectApp(organizationId)} size={size} leftSection={<IconPlus {...icon} />}>
      Connect app
    </Button>
  );
}

export default function AppsPage() {
  useTitle('Apps');
  const { data, error, mutate } = useApps(useOrganizationId());
  const seenAt = useSeenAt(data);
  const isEmpty = data?.items.length === 0;
  return (
    <Page>
      <PageHeader title="Apps" actions={isEmpty ? undefined : <ConnectButton size="sm" />} />
      {error !== undefined && (
        <ErrorNotice
          error={error}
          title="Apps could not be fetched"
          seenAt={data ? seenAt : null}
          onRetry={() => void mutate()}
        />
      )}
      {!data && error === undefined && <TableBones label="Loading apps" rows={3} widths={[32, '50%', 120]} />}
      {isEmpty && (
        <EmptyState title="No apps yet" action={<ConnectButton size="md" />}>
          An app is one sign-in at a provider. Sources and destinations use it.
        </EmptyState>
      )}
      {data && !isEmpty && (
        <ul className={styles.cards}>
          {data.items.map((app) => (
            <Card key={app.id} app={app} />
          ))}
        </ul>
      )}
    </Page>
  );
}
