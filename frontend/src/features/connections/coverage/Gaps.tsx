import { IconPlugConnected, IconTool } from '@tabler/icons-react';
import { useBackfillActions } from '~/api/connections/backfills';
import type { Connection, Coverage } from '~/api/types';
import { gapsOf, reasonOfGap, repairOfGap } from '~/domain/connections/coverage';
import type { Gap } from '~/domain/connections/coverage';
import { paths } from '~/domain/navigation/paths';
import { formatDayRange } from '~/lib/dates';
import { plural } from '~/lib/numbers';
import { useAction } from '~/lib/use-action';
import { useNow } from '~/lib/use-now';
import { useOrganizationId, usePlanGate } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { icon } from '~/ui/icon';
import { Gated, GatedButton } from '~/ui/inputs/GatedButton';
import { toast } from '~/components/feedback/toast';
import { CellMark } from './CoverageCell';
import styles from './Gaps.module.css';
import type { SelectedCell } from './selection';

interface AccountGap extends Gap {
  account: Coverage['accounts'][number]['account'];
}

interface FixProps {
  gap: AccountGap;
  stream: string;
  connection: Connection;
  isLocked: boolean;
}

/** Repairs the days of the gap, or leads to the sign-in that a repair requires. */
function Fix({ gap, stream, connection, isLocked }: FixProps) {
  const organizationId = useOrganizationId();
  const { reload } = useBackfillActions(organizationId, connection.id);
  const { run, isBusy } = useAction({ onError: toast.failed });
  const fix = repairOfGap(gap.state, connection);
  if (fix === null) return null;
  const look = { size: 'xs', variant: 'default', disabledReason: null } as const;
  if (fix === 'restore_access')
    return (
      <GatedButton
        {...look}
        leftSection={<IconPlugConnected {...icon} size={14} />}
        to={paths.app(organizationId, connection.source.appId)}
      >
        Restore access
      </GatedButton>
    );
  const repair = async () => {
    await reload({ streams: [stream], accounts: [gap.account.externalId], from: gap.from, to: gap.to });
    toast.done('Repair started');
  };
  return (
    <GatedButton
      {...look}
      isDisabled={isLocked}
      leftSection={<IconTool {...icon} size={14} />}
      loading={isBusy}
      onClick={() => void run(repair)}
    >
      Repair
    </GatedButton>
  );
}

interface GapsProps {
  coverage: Coverage;
  connection: Connection;
  onChoose: (cell: SelectedCell) => void;
}

/** Lists missing and failed days as text, as an accessible alternative to the grid. */
export function Gaps({ coverage, connection, onChoose }: GapsProps) {
  const now = useNow(300_000);
  const roleReason = usePermissionGate('runs.start');
  const planReason = usePlanGate();
  const disabledReason = roleReason ?? planReason ?? (connection.desired === 'paused' ? 'Paused. Resume it first' : null);
  const gaps = coverage.accounts.flatMap(({ account, days }) => gapsOf(days).map((gap): AccountGap => ({ account, ...gap })));
  if (gaps.length === 0) return <p className="quiet">No gaps. All days in this range are loaded.</p>;
  return (
    <section aria-label="Gaps">
      <div className={styles.head}>
        <h2>{plural(gaps.length, 'gap')}</h2>
        <Gated disabledReason={disabledReason}>{null}</Gated>
      </div>
      <ul className={styles.gaps}>
        {gaps.map((gap) => (
          <li key={gap.account.externalId + gap.from}>
            <CellMark state={gap.state} />
            <button
              type="button"
              className={styles.gap}
              onClick={() => onChoose({ accountId: gap.account.externalId, from: gap.from, to: gap.to })}
            >
              <span>
                <strong>{gap.account.name}</strong>, {formatDayRange(gap.from, gap.to, now)}
              </span>
              <span className="label">{reasonOfGap(gap.state, gap.account.name, connection)}</span>
            </button>
            <span className="label">{plural(gap.days, 'day')}</span>
            <Fix gap={gap} stream={coverage.stream} connection={connection} isLocked={disabledReason !== null} />
          </li>
        ))}
      </ul>
    </section>
  );
}
