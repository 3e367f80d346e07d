import { IconRefresh } from '@tabler/icons-react';
import { useBackfillActions } from '~/api/connections/backfills';
import type { Connection } from '~/api/types';
import { useAction } from '~/lib/use-action';
import { useOrganizationId, usePlanGate } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { toast } from '~/components/feedback/toast';
import { icon } from '~/ui/icon';
import { GatedButton } from '~/ui/inputs/GatedButton';
import type { SelectedCell } from './CellDetails';

interface ReloadButtonProps {
  connection: Connection;
  stream: string;
  chosen: SelectedCell;
}

/** Reads the selected days again and replaces their rows. */
export function ReloadButton({ connection, stream, chosen: { accountId, from, to } }: ReloadButtonProps) {
  const { reload } = useBackfillActions(useOrganizationId(), connection.id);
  const roleReason = usePermissionGate('runs.start');
  const planReason = usePlanGate();
  const { run, isBusy } = useAction({ onError: toast.failed });
  const start = async () => {
    await reload({ streams: [stream], accounts: [accountId], from, to });
    toast.done('Reload started');
  };
  return (
    <GatedButton
      size="xs"
      variant="default"
      leftSection={<IconRefresh {...icon} />}
      disabledReason={roleReason ?? planReason}
      waitsFor={connection.desired === 'paused' ? 'Paused. Resume it first' : null}
      loading={isBusy}
      onClick={() => void run(start)}
    >
      Reload these days
    </GatedButton>
  );
}
