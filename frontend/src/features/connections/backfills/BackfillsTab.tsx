import { IconHistory } from '@tabler/icons-react';
import { useSearchParams } from 'react-router-dom';
import { useBackfills, useOlderBackfills } from '~/api/connections/backfills';
import type { Connection } from '~/api/types';
import { useOrganizationId, usePlanGate } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import { LoadMoreButton } from '~/components/list/LoadMoreButton';
import { icon } from '~/ui/icon';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { GatedButton } from '~/ui/inputs/GatedButton';
import { BackfillEntry } from './BackfillEntry';
import styles from './Backfills.module.css';
import { NewBackfillDialog } from './NewBackfillDialog';
import type { BackfillRange } from './NewBackfillDialog';

const RANGE = ['from', 'to', 'stream', 'account'];

/** The days that were selected in the coverage; null: none. */
function rangeOf(parameters: URLSearchParams): BackfillRange | null {
  const [from, to, stream, account] = RANGE.map((name) => parameters.get(name));
  return from && to && stream && account ? { from, to, stream, account } : null;
}

/** Loads of past days, newest first. The address opens the dialog: `new=backfill`. */
export function BackfillsTab({ connection }: { connection: Connection }) {
  const organizationId = useOrganizationId();
  const [parameters, setParameters] = useSearchParams();
  const { data, error, mutate } = useBackfills(organizationId, connection.id);
  const { items, pages, hasMore } = useOlderBackfills(organizationId, connection.id, data);
  const roleReason = usePermissionGate('runs.start');
  const planReason = usePlanGate();
  const pausedReason = connection.desired === 'paused' ? 'Paused. Resume it first' : null;
  const reason = roleReason ?? planReason ?? pausedReason;
  const setOpen = (isOpen: boolean) =>
    setParameters(
      (before) => {
        if (isOpen) before.set('new', 'backfill');
        else for (const name of ['new', ...RANGE]) before.delete(name);
        return before;
      },
      { replace: true },
    );
  const start = (
    <GatedButton disabledReason={reason} leftSection={<IconHistory {...icon} />} onClick={() => setOpen(true)}>
      New backfill
    </GatedButton>
  );
  return (
    <>
      <div className={styles.tools}>
        <p className="quiet">A backfill loads past days beside the scheduled runs, which go first.</p>
        {start}
      </div>
      <LoadedContent
        data={data}
        error={error}
        reload={mutate}
        errorTitle="Couldn’t load backfills"
        skeleton={<TableSkeleton label="Loading backfills" rows={3} widths={[120, '50%', 60]} />}
        isEmpty={() => items.length === 0}
        empty={<p className={styles.none}>No backfills yet.</p>}
      >
        {() => (
          <>
            <ul className={styles.list}>
              {items.map((backfill) => (
                <li key={backfill.id}>
                  <BackfillEntry backfill={backfill} connection={connection} />
                </li>
              ))}
            </ul>
            <LoadMoreButton pages={pages} hasMore={hasMore} label="Show older backfills" />
          </>
        )}
      </LoadedContent>
      {parameters.get('new') === 'backfill' && reason === null && (
        <NewBackfillDialog connection={connection} range={rangeOf(parameters)} onClose={() => setOpen(false)} />
      )}
    </>
  );
}
