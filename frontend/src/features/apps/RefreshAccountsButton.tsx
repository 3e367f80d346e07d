import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useSWRConfig } from 'swr';
import { relistAccounts } from '~/api/apps';
import { keysOf } from '~/api/http/keys';
import type { App } from '~/api/types';
import { formatPast } from '~/lib/relative-time';
import { useAction } from '~/lib/use-action';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { Gated } from '~/ui/inputs/GatedButton';
import { icon } from '~/ui/icon';
import { toast } from '~/components/feedback/toast';

/** Refreshes the app's account list. The server returns a list younger than five minutes unchanged; a toast reports that. */
export function RefreshAccountsButton({ app }: { app: Pick<App, 'id' | 'accountsListedAt'> }) {
  const organizationId = useOrganizationId();
  const { mutate } = useSWRConfig();
  const disabledReason = usePermissionGate('sources.write', 'refresh the list');
  const { run, isBusy } = useAction({ onError: toast.failed });
  const refresh = async () => {
    try {
      const { listedAt } = await relistAccounts(organizationId, app.id);
      if (listedAt !== null && listedAt === app.accountsListedAt)
        toast.done(`The list was updated ${formatPast(listedAt, new Date())}. You can refresh it every 5 minutes`);
    } finally {
      await mutate(keysOf(organizationId, 'app', 'apps'));
    }
  };
  return (
    <Gated disabledReason={disabledReason} align="end">
      <Button
        size="xs"
        variant="subtle"
        leftSection={<IconRefresh {...icon} size={14} />}
        loading={isBusy}
        disabled={disabledReason !== null}
        onClick={() => void run(refresh)}
      >
        Refresh list
      </Button>
    </Gated>
  );
}
