import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { useSWRConfig } from 'swr';
import { relistAccounts } from '../../api/apps';
import { keysOf } from '../../api/keys';
import { useOrganizationId } from '../../session/organization-context';
import { icon } from '../../ui/icon';
import { toast } from '../../ui/toast';

/** Asks the platform now which accounts the app reaches. */
export function ListAgainButton({ appId, disabled }: { appId: string; disabled?: boolean }) {
  const organizationId = useOrganizationId();
  const { mutate } = useSWRConfig();
  const [isBusy, setBusy] = useState(false);
  const refresh = async () => {
    setBusy(true);
    await relistAccounts(organizationId, appId).catch(toast.failed);
    await mutate(keysOf(organizationId, 'app', 'apps'));
    setBusy(false);
  };
  return (
    <Button
      size="xs"
      variant="subtle"
      leftSection={<IconRefresh {...icon} size={14} />}
      loading={isBusy}
      disabled={disabled}
      onClick={() => void refresh()}
    >
      Refresh list
    </Button>
  );
}
