import { IconHistory } from '@tabler/icons-react';
import { useSearchParams } from 'react-router-dom';
import { useBackfills } from '~/api/connections/backfills';
import type { Connection } from '~/api/types';
import { useOrganizationId, usePlanGate } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import { icon } from '~/ui/icon';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { GatedButton } from '~/ui/inputs/GatedButton';
import { BackfillEntry } from './BackfillEntry';
import styles from './Backfills.module.css';
import { NewBackfillDialog } from './NewBackfillDialog';

/** Loads of past days, newest first. The address opens the dialog: `new=backfill`. */
export function BackfillsTab({ connection }: { connection: Connection }) {
  const organizationId = useOrganizationId();
  const [parameters, setParameters] = useSearchParams();
  const { data, error, mutate } = useBackfills(organizationId, connection.id);
  const roleReason = usePermissionGate('runs.start');
  const planReason = usePlanGate();
  const pausedReason = connection.desired === 'paused' ? 'Paused. Resume it first' : null;
  const reason = roleReason ?? planReason ?? pausedReason;
  const setOpen = (isOpen: boolean) =>
    setParameters(
      (before) => {
        if (isOpen) before.set('new', 'backfill');
        else before.delete('new');
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
        isEmpty={({ items }) => items.length === 0}
        empty={<p className={styles.none}>No backfills yet.</p>}
      >
        {({ items }) => (
          <ul className={styles.list}>
            {items.map((backfill) => (
              <li key={backfill.id}>
                <BackfillEntry backfill={backfill} connection={connection} />
              </li>
            ))}
          </ul>
        )}
      </LoadedContent>
      {parameters.get('new') === 'backfill' && reason === null && (
        <NewBackfillDialog connection={connection} onClose={() => setOpen(false)} />
      )}
    </>
  );
}
