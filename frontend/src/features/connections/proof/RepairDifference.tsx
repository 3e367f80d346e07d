import { IconTool } from '@tabler/icons-react';
import { useBackfillActions } from '~/api/connections/backfills';
import type { Connection, RunProof } from '~/api/types';
import { plural } from '~/lib/numbers';
import { useAction } from '~/lib/use-action';
import { useOrganizationId, usePlanGate } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { icon } from '~/ui/icon';
import { GatedButton } from '~/ui/inputs/GatedButton';
import { toast } from '~/components/feedback/toast';

interface RepairDifferenceProps {
  connection: Connection;
  repair: NonNullable<RunProof['repair']>;
}

/** Loads the days that differed again, unless a run already does. */
export function RepairDifference({ connection, repair }: RepairDifferenceProps) {
  const { reload } = useBackfillActions(useOrganizationId(), connection.id);
  const roleReason = usePermissionGate('runs.start');
  const planReason = usePlanGate();
  const { run, isBusy } = useAction({ onError: toast.failed });
  const { streams, accounts, from, to, days, daysLoading } = repair;
  if (daysLoading === days) return <span className="label">{plural(days, 'account-day')} being loaded again</span>;
  return (
    <GatedButton
      leftSection={<IconTool {...icon} />}
      disabledReason={roleReason ?? planReason}
      waitsFor={connection.desired === 'paused' ? 'Paused. Resume it first' : null}
      loading={isBusy}
      onClick={() =>
        void run(async () => {
          await reload({ streams, accounts, from, to });
          toast.done('Repair started');
        })
      }
    >
      Repair
    </GatedButton>
  );
}
