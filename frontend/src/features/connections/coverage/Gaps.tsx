import { Button } from '@mantine/core';
import { IconTool } from '@tabler/icons-react';
import type { Connection, Coverage } from '~/api/types';
import { useConnectionActions } from '~/api/connections/use-connection-actions';
import { connectionCan } from '~/domain/connections/connection-state';
import { gapsOf } from '~/domain/connections/coverage';
import { formatDayRange } from '~/lib/dates';
import { plural } from '~/lib/numbers';
import { useNow } from '~/lib/use-now';
import { useOrganizationId, usePlanGate } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { icon } from '~/ui/icon';
import { toast } from '~/components/feedback/toast';
import type { SelectedCell } from './CellDetails';
import { CellMark } from './CoverageCell';
import styles from './Gaps.module.css';

interface GapsProps {
  coverage: Coverage;
  connection: Connection;
  onChoose: (cell: SelectedCell) => void;
}

function whyGap(state: 'missing' | 'failed', connection: Connection): string {
  if (state === 'failed') return `Failed: ${connection.failure?.message ?? 'the last run failed'}`;
  return connection.activeRun ? 'Missing: not reached by the active run yet' : 'Missing: not loaded yet';
}

/** Lists missing and failed days as text, as an accessible alternative to the grid. */
export function Gaps({ coverage, connection, onChoose }: GapsProps) {
  const now = useNow(300_000);
  const { run } = useConnectionActions(useOrganizationId());
  const roleReason = usePermissionGate('connections.write');
  const planReason = usePlanGate();
  const disabledReason = roleReason ?? planReason;
  const gaps = coverage.accounts.flatMap(({ account, days }) => gapsOf(days).map((gap) => ({ account, ...gap })));
  if (gaps.length === 0) return <p className="quiet">No gaps. All days in this range are loaded.</p>;
  return (
    <section aria-label="Gaps">
      <div className={styles.head}>
        <h2>{plural(gaps.length, 'gap')}</h2>
        {connectionCan.run(connection) && disabledReason === null && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconTool {...icon} />}
            onClick={() => void run(connection.id).catch(toast.failed)}
          >
            Run now
          </Button>
        )}
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
              <span className="label">{whyGap(gap.state, connection)}</span>
            </button>
            <span className="label">{plural(gap.days, 'day')}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
