import type { Backfill } from '~/api/types';
import { whyPaused } from '~/domain/connections/backfill';
import { BackfillActions } from '~/features/connections/backfills/BackfillActions';
import { BackfillProgress } from '~/features/connections/backfills/BackfillProgress';
import { BackfillStatus } from '~/features/connections/backfills/BackfillStatus';
import { RelativeTime } from '~/ui/data/RelativeTime';
import styles from './DataTab.module.css';

/** A re-sync while it is active or failed; afterwards when it ended. */
export function ResyncProgress({ resync, connectionId }: { resync: Backfill; connectionId: string }) {
  if (resync.state === 'completed' && resync.endedAt)
    return (
      <p className="label">
        Re-synced <RelativeTime at={resync.endedAt} isFocusable />.
      </p>
    );
  const pause = resync.state === 'paused' ? whyPaused(resync.pausedReason) : null;
  return (
    <section className={styles.resync} aria-label={`Re-sync of ${resync.streams.join(', ')}`}>
      <div className={styles.resyncHead}>
        <BackfillStatus state={resync.state} />
        {resync.phase === 'swapping' && <span className="label">Reads the last days and swaps the tables</span>}
        <span className={styles.decision}>
          <BackfillActions backfill={resync} connectionId={connectionId} />
        </span>
      </div>
      {pause && <p className="label">{pause}</p>}
      {resync.failure && resync.state === 'failed' && (
        <p className={styles.failure}>
          {resync.failure.message} {resync.failure.action}.
        </p>
      )}
      <BackfillProgress backfill={resync} />
    </section>
  );
}
