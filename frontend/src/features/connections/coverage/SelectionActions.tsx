import { useDebouncedValue } from '@mantine/hooks';
import { IconHistory, IconRefresh, IconTool } from '@tabler/icons-react';
import type { Connection, CoverageDay, NewBackfill } from '~/api/types';
import { daysToRepair } from '~/domain/connections/coverage-facts';
import { paths } from '~/domain/navigation/paths';
import { useOrganizationId, usePlanGate } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { BackfillCost } from '~/features/connections/backfills/BackfillCost';
import { ReloadRejection } from '~/features/connections/reload/ReloadRejection';
import { useReload } from '~/features/connections/reload/use-reload';
import { icon } from '~/ui/icon';
import { Gated, GatedButton } from '~/ui/inputs/GatedButton';
import type { SelectedCell } from './selection';
import styles from './SelectionActions.module.css';

/** Long enough that dragging over days requests one estimate. */
const PAUSE_MS = 300;

interface SelectionActionsProps {
  connection: Connection;
  stream: string;
  chosen: SelectedCell;
  days: CoverageDay[];
}

const small = { size: 'xs', variant: 'default', disabledReason: null } as const;

/** Why the days cannot be read again. */
function useReasons({ desired }: Connection) {
  const roleReason = usePermissionGate('runs.start');
  const planReason = usePlanGate();
  const disabledReason = roleReason ?? planReason;
  const waitsFor = desired === 'paused' ? 'Paused. Resume it first' : null;
  return { disabledReason, waitsFor, isDisabled: disabledReason !== null || waitsFor !== null };
}

/** What the selected days cost to read, and the ways to read them again. */
export function SelectionActions({ connection, stream, chosen, days }: SelectionActionsProps) {
  const organizationId = useOrganizationId();
  const { disabledReason, waitsFor, isDisabled } = useReasons(connection);
  const { start, busyWith, rejection } = useReload(connection.id);
  const { accountId, from, to } = chosen;
  const wanted = { streams: [stream], accounts: [accountId] };
  const [estimated] = useDebouncedValue<NewBackfill>({ ...wanted, from, to, mode: 'replace' }, PAUSE_MS);
  const open = daysToRepair(days);
  return (
    <div className={styles.actions}>
      <BackfillCost connection={connection} body={estimated} />
      <Gated disabledReason={disabledReason} waitsFor={waitsFor}>
        <span className={styles.buttons}>
          {open && (
            <GatedButton
              {...small}
              variant="filled"
              isDisabled={isDisabled}
              leftSection={<IconTool {...icon} size={14} />}
              loading={busyWith === 'repair'}
              onClick={() => void start({ ...wanted, ...open }, 'Repair started', 'repair')}
            >
              Repair
            </GatedButton>
          )}
          <GatedButton
            {...small}
            isDisabled={isDisabled}
            leftSection={<IconRefresh {...icon} size={14} />}
            loading={busyWith === 'reload'}
            onClick={() => void start({ ...wanted, from, to }, 'Reload started', 'reload')}
          >
            Reload these days
          </GatedButton>
          <GatedButton
            {...small}
            isDisabled={isDisabled}
            leftSection={<IconHistory {...icon} size={14} />}
            to={paths.connection(organizationId, connection.id, {
              tab: 'backfills',
              new: 'backfill',
              from,
              to,
              stream,
              account: accountId,
            })}
          >
            Backfill
          </GatedButton>
        </span>
      </Gated>
      <ReloadRejection rejection={rejection} connectionId={connection.id} />
    </div>
  );
}
