import { IconTool } from '@tabler/icons-react';
import type { Connection, RunProof } from '~/api/types';
import { plural } from '~/lib/numbers';
import { usePlanGate } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { icon } from '~/ui/icon';
import { GatedButton } from '~/ui/inputs/GatedButton';
import { ReloadRejection } from '~/features/connections/reload/ReloadRejection';
import { useReload } from '~/features/connections/reload/use-reload';

interface RepairDifferenceProps {
  connection: Connection;
  repair: NonNullable<RunProof['repair']>;
}

/** Loads the days that differed again, unless a run already does. */
export function RepairDifference({ connection, repair }: RepairDifferenceProps) {
  const roleReason = usePermissionGate('runs.start');
  const planReason = usePlanGate();
  const { start, isBusy, rejection } = useReload(connection.id);
  const { streams, accounts, from, to, days, daysLoading } = repair;
  if (daysLoading === days) return <span className="label">{plural(days, 'account-day')} being loaded again</span>;
  return (
    <>
      <span className="label">Repair loads only the days that differ, a run all days that are due</span>
      <GatedButton
        leftSection={<IconTool {...icon} />}
        disabledReason={roleReason ?? planReason}
        waitsFor={connection.desired === 'paused' ? 'Paused. Resume it first' : null}
        loading={isBusy}
        onClick={() => void start({ streams, accounts, from, to }, 'Repair started')}
      >
        Repair
      </GatedButton>
      <ReloadRejection rejection={rejection} connectionId={connection.id} />
    </>
  );
}
