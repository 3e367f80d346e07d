import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useApps, useCatalog } from '../../api/apps';
import { authorizeApp } from '../../api/authorize-app';
import type { Connector } from '../../api/types';
import { writeFlowState } from '../../lib/flow-state';
import { plural } from '../../lib/numbers';
import { paths } from '../../lib/paths';
import { useTitle } from '../../lib/use-title';
import { useOrganizationId, useRoleGate } from '../../session/organization-context';
import { TableBones } from '../../ui/Bone';
import { ErrorNotice } from '../../ui/ErrorNotice';
import { icon } from '../../ui/icon';
import { Page, PageHeader, Section } from '../../ui/Page';
import { ProviderMark } from '../../ui/ProviderMark';
import { toast } from '../../ui/toast';
import styles from './ConnectAppPage.module.css';

const categoryWords: Record<Connector['category'], string> = {
  advertising: 'Advertising',
  warehouse: 'Warehouses',
  product_analytics: 'Product analytics',
};

const ROLES = [
  { value: 'all', label: 'All' },
  { value: 'source', label: 'Sources' },
  { value: 'destination', label: 'Destinations' },
];

function ConnectAction({ connector }: { connector: Connector }) {
  const organizationId = useOrganizationId();
  const closedBecause = useRoleGate('manageApps');
  const { data: apps } = useApps(organizationId);
  const [isLeaving, setLeaving] = useState(false);
  if (closedBecause !== null) return <span className="label">{closedBecause}</span>;
  if (!connector.credentials.some(({ authMode }) => authMode === 'oauth2'))
    return (
      <Button variant="default" component={Link} to={paths.newDestination(organizationId)}>
        Connect {connector.name}
      </Button>
    );
  const leave = async () => {
    setLeaving(true);
    writeFlowState({ storedFrom: 'app', storedType: connector.provider });
    await authorizeApp(organizationId, apps?.items ?? [], paths.apps(organizationId)).catch((error: unknown) => {
      setLeaving(false);
      toast.failed(error);
    });
  };
  return (
    <Button variant="default" loading={isLeaving} onClick={() => void leave()}>
      Connect {connector.name}
    </Button>
  );
}

const Scopes = ({ connector }: { connector: Connector }) => {
  const scopes = connector.credentials.flatMap((way) => way.scopes);
  if (scopes.length === 0) return null;
  return (
    <ul className={styles.scopes}>
      {scopes.map(({ scope, reason }) => (
        <li key={scope}>
          <code>{scope}</code>
          <span className="label">{reason}</span>
        </li>
      ))}
    </ul>
  );
};

const Entry = ({ connector }: { connector: Connector }) => (
  <li className={styles.entry}>
    <ProviderMark provider={connector.provider} size="lg" />
    <div className={styles.text}>
      <h3>{connector.name}</h3>
      <p className="quiet">{connector.description}</p>
      {connector.streams.length > 0 && (
        <p className="label">
          Reads {plural(connector.streams.length, 'report')}: {connector.streams.map(({ title }) => title).join(', ')}
        </p>
      )}
      <Scopes connector={connector} />
    </div>
    <ConnectAction connector={connector} />
  </li>
);

export default function ConnectAppPage() {
  useTitle('Connect an app');
  const organizationId = useOrganizationId();
  const { data, error, mutate } = useCatalog();
  const [search, setSearch] = useState('');
  const [role, setRole] = useState('all');
  const found = (data?.connectors ?? []).filter(
    (connector) =>
      connector.name.toLowerCase().includes(search.trim().toLowerCase()) &&
      (role === 'all' || connector.roles.some((one) => one === role)),
  );
  const categories = [...new Set(found.map(({ category }) => category))];
  return (
    <Page width="form">
      <PageHeader title="Connect an app" parent={{ label: 'Apps', to: paths.apps(organizationId) }} />
      <div className={styles.tools}>
        <TextInput
          w={240}
          aria-label="Search the catalog"
          placeholder="Search the catalog"
          leftSection={<IconSearch {...icon} />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <SegmentedControl data={ROLES} value={role} onChange={setRole} aria-label="Role" />
      </div>
      {error !== undefined && (
        <ErrorNotice error={error} title="The catalog could not be fetched" onRetry={() => void mutate()} />
      )}
      {!data && error === undefined && <TableBones label="Loading the catalog" rows={3} widths={[32, '60%', 120]} />}
      {data && found.length === 0 && <p className="quiet">Nothing in the catalog matches.</p>}
      {categories.map((category) => (
        <Section key={category} title={categoryWords[category]}>
          <ul className={styles.entries}>
            {found
              .filter((connector) => connector.category === category)
              .map((connector) => (
                <Entry key={connector.provider} connector={connector} />
              ))}
          </ul>
        </Section>
      ))}
    </Page>
  );
}
