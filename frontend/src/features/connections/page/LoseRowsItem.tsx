import { Menu } from '@mantine/core';
import { IconFlask } from '@tabler/icons-react';
import useSWR, { useSWRConfig } from 'swr';
import { loseRows } from '~/api/connections/lose-rows';
import { loadConfig } from '~/api/http/config';
import { keysAboutConnection } from '~/api/http/keys';
import type { Connection } from '~/api/types';
import { useAction } from '~/lib/use-action';
import { useOrganizationId } from '~/session/organization-context';
import { icon } from '~/ui/icon';
import { toast } from '~/components/feedback/toast';

/** In a demo: rows disappear from the warehouse, so that one can see how the connection reports and repairs them. */
export function LoseRowsItem({ connection, isDisabled }: { connection: Connection; isDisabled: boolean }) {
  const organizationId = useOrganizationId();
  const { mutate } = useSWRConfig();
  const { data: config } = useSWR('config', loadConfig, { revalidateOnFocus: false });
  const { run, isBusy } = useAction({ onError: toast.failed });
  const sandboxUrl = config?.isDemo ? config.sandboxUrl : null;
  // Only the demo's own warehouse can lose rows: see the fault `lose_rows` of the sandbox.
  if (!sandboxUrl || connection.destination.provider !== 'postgresql') return null;
  const start = async () => {
    toast.done('Rows are deleted from the demo warehouse, and a run checks it');
    await loseRows(sandboxUrl, organizationId, connection);
    await mutate(keysAboutConnection(organizationId, connection.id));
  };
  return (
    <Menu.Item
      leftSection={<IconFlask {...icon} />}
      disabled={isDisabled || isBusy || connection.activeRun !== null || connection.desired === 'paused'}
      onClick={() => void run(start)}
    >
      Lose rows (demo)
    </Menu.Item>
  );
}
