import { Button } from '@mantine/core';
import { useState } from 'react';
import { useSWRConfig } from 'swr';
import { deleteApiKey } from '~/api/api-keys';
import { keys } from '~/api/http/keys';
import type { ApiKey } from '~/api/types';
import { roleWords } from '~/domain/accounts/roles';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { ConfirmDialog } from '~/components/feedback/ConfirmDialog';
import { RelativeTime } from '~/ui/data/RelativeTime';
import table from '~/ui/layout/Table.module.css';
import { toast } from '~/components/feedback/toast';
import styles from './ApiKeys.module.css';
import { KeyExpiry } from './KeyExpiry';

function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const organizationId = useOrganizationId();
  const { mutate } = useSWRConfig();
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Revoke ${apiKey.name}?`}
      stops={['All scripts that use this key, immediately']}
      stays={['Changes made with this key', 'Other keys']}
      note="This cannot be undone. Create a new key if you need one."
      confirmLabel="Revoke key"
      onConfirm={async () => {
        await deleteApiKey(organizationId, apiKey.id);
        await mutate(keys.apiKeys(organizationId));
        toast.done(`${apiKey.name} revoked`);
        onClose();
      }}
    />
  );
}

export function ApiKeyRow({ apiKey }: { apiKey: ApiKey }) {
  const disabledReason = usePermissionGate('apiKeys.write');
  const [isRevoking, setRevoking] = useState(false);
  return (
    <tr>
      <td>
        <span className={table.name}>{apiKey.name}</span>
        <span className={table.second}>
          <code>{apiKey.prefix}…</code> by {apiKey.createdBy}
        </span>
      </td>
      <td>{roleWords[apiKey.role]}</td>
      <td>
        <KeyExpiry apiKey={apiKey} />
      </td>
      <td>{apiKey.lastUsedAt === null ? 'Not used yet' : <RelativeTime at={apiKey.lastUsedAt} />}</td>
      <td className={`${table.fit} ${styles.revoke}`}>
        <Button
          size="xs"
          variant="subtle"
          disabled={disabledReason !== null}
          onClick={() => setRevoking(true)}
          aria-label={`Revoke ${apiKey.name}`}
        >
          Revoke
        </Button>
        {isRevoking && <RevokeDialog apiKey={apiKey} onClose={() => setRevoking(false)} />}
      </td>
    </tr>
  );
}
