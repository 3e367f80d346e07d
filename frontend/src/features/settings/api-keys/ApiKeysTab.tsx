import { useState } from 'react';
import { useApiKeys } from '~/api/api-keys';
import { useOrganizationProfile } from '~/api/organization';
import type { ApiKey } from '~/api/types';
import { formatCount } from '~/lib/numbers';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { ErrorNotice } from '~/components/feedback/ErrorNotice';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import { LockedReason } from '~/ui/feedback/LockedReason';
import { Section } from '~/ui/layout/Page';
import table from '~/ui/layout/Table.module.css';
import { ApiKeyRow } from './ApiKeyRow';
import styles from './ApiKeys.module.css';
import { CreateKeyForm } from './CreateKeyForm';
import { NewKey } from './NewKey';

const SKELETON = <TableSkeleton label="Loading API keys" rows={2} widths={['30%', 60, 80, 80]} />;

const HEAD = ['Name', 'Role', 'Expires', 'Last used'];

const KeysTable = ({ apiKeys }: { apiKeys: ApiKey[] }) => (
  <table className={`${table.table} ${styles.keys}`} data-rows="two">
    <thead>
      <tr>
        {HEAD.map((label) => (
          <th key={label} scope="col">
            {label}
          </th>
        ))}
        <th scope="col">
          <span className="visually-hidden">Actions</span>
        </th>
      </tr>
    </thead>
    <tbody>
      {apiKeys.map((apiKey) => (
        <ApiKeyRow key={apiKey.id} apiKey={apiKey} />
      ))}
    </tbody>
  </table>
);

function Keys() {
  const { data, error, mutate } = useApiKeys(useOrganizationId(), true);
  return (
    <Section title="Keys" aside={data && formatCount(data.items.length)}>
      <LoadedContent
        data={data}
        error={error}
        reload={mutate}
        errorTitle="Couldn’t load API keys"
        refreshError="notice with age"
        skeleton={SKELETON}
        isEmpty={({ items }) => items.length === 0}
        empty={<p className={styles.none}>No API keys yet. Create a key to call the API from a script.</p>}
      >
        {({ items }) => <KeysTable apiKeys={items} />}
      </LoadedContent>
    </Section>
  );
}

export function ApiKeysTab() {
  const { data: organization, error, mutate } = useOrganizationProfile(useOrganizationId());
  const disabledReason = usePermissionGate('apiKeys.read');
  const [newKey, setNewKey] = useState<string | null>(null);
  if (!organization && error !== undefined)
    return <ErrorNotice error={error} title="Couldn’t load your permissions" onRetry={() => void mutate()} />;
  if (!organization) return SKELETON;
  if (disabledReason !== null) return <LockedReason>Only admins can manage API keys</LockedReason>;
  return (
    <>
      {newKey === null ? <CreateKeyForm onCreated={setNewKey} /> : <NewKey apiKey={newKey} onDone={() => setNewKey(null)} />}
      <Keys />
    </>
  );
}
