import { IconPlugConnected, IconTool } from '@tabler/icons-react';
import { useRun } from '~/api/connections/runs';
import type { Connection, Coverage, RunSummary } from '~/api/types';
import { gapsOf, noGapsText, reasonOfGap, repairOfGap } from '~/domain/connections/coverage';
import type { Gap } from '~/domain/connections/coverage';
import { runTable } from '~/domain/connections/connection-state';
import { formatDayRange } from '~/lib/dates';
import { plural } from '~/lib/numbers';
import { useNow } from '~/lib/use-now';
import { useOrganizationId, usePlanGate } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { icon } from '~/ui/icon';
import { Gated, GatedButton } from '~/ui/inputs/GatedButton';
import { reconnectPage } from '~/features/connections/repair-page';
import { ReloadRejection } from '~/features/connections/reload/ReloadRejection';
import { useReload } from '~/features/connections/reload/use-reload';
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
  const { start, isBusy, rejection } = useReload(connection.id);
  const fix = repairOfGap(gap.state, connection);
  if (fix === null) return null;
  const look = { size: 'xs', variant: 'default', disabledReason: null } as const;
  if (fix === 'restore_access')
    return (
      <GatedButton
        {...look}
        leftSection={<IconPlugConnected {...icon} size={14} />}
        to={reconnectPage(organizationId, connection).to}
      >
        Restore access
      </GatedButton>
    );
  const days = { streams: [stream], accounts: [gap.account.externalId], from: gap.from, to: gap.to };
  return (
    <span className={styles.fix}>
      <GatedButton
        {...look}
        isDisabled={isLocked}
        leftSection={<IconTool {...icon} size={14} />}
        loading={isBusy}
        onClick={() => void start(days, 'Repair started')}
      >
        Repair
      </GatedButton>
      <ReloadRejection rejection={rejection} connectionId={connection.id} />
    </span>
  );
}

interface GapsProps {
  coverage: Coverage;
  connection: Connection;
  /** Newest first. */
  runs: RunSummary[];
  onChoose: (cell: SelectedCell) => void;
}

/** Lists missing and failed days as text, as an accessible alternative to the grid. */
export function Gaps({ coverage, connection, runs, onChoose }: GapsProps) {
  const now = useNow(300_000);
  const roleReason = usePermissionGate('runs.start');
  const planReason = usePlanGate();
  const disabledReason = roleReason ?? planReason ?? (connection.desired === 'paused' ? 'Paused. Resume it first' : null);
  const gaps = coverage.accounts.flatMap(({ account, days }) => gapsOf(days).map((gap): AccountGap => ({ account, ...gap })));
  const failed = runs.find(({ state, failure }) => !runTable[state].isActive && failure !== null);
  const { data: failedRun } = useRun(
    useOrganizationId(),
    gaps.some(({ state }) => state === 'failed') && failed ? failed.id : null,
  );
  if (gaps.length === 0) return <p className="quiet">{noGapsText(coverage.accounts.map(({ days }) => days))}</p>;
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
              <span className="label">
                {reasonOfGap(
                  { ...gap, stream: coverage.stream, accountId: gap.account.externalId },
                  connection,
                  failedRun?.slices ?? [],
                )}
              </span>
            </button>
            <span className="label">{plural(gap.days, 'day')}</span>
            <Fix gap={gap} stream={coverage.stream} connection={connection} isLocked={disabledReason !== null} />
          </li>
        ))}
      </ul>
    </section>
  );
}
