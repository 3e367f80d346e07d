import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Backfill, Connection } from '~/api/types';
import { backfillCan, backfillTable, whyPaused } from '~/domain/connections/backfill';
import { formatDayRange } from '~/lib/dates';
import { plural } from '~/lib/numbers';
import { useNow } from '~/lib/use-now';
import { RelativeTime } from '~/ui/data/RelativeTime';
import { BackfillActions } from './BackfillActions';
import { BackfillProgress } from './BackfillProgress';
import { BackfillStatus } from './BackfillStatus';
import styles from './Backfills.module.css';
import { ChunkGrid } from './ChunkGrid';

const modeWords: Record<Backfill['mode'], string> = {
  fill_missing: 'Fills missing days',
  replace: 'Replaces all days',
  resync: 'Re-syncs into a new table',
};

function About({ backfill, connection }: { backfill: Backfill; connection: Connection }) {
  const all = connection.source.accounts.length;
  const accounts =
    backfill.accounts.length === all ? plural(all, 'account') : `${backfill.accounts.length} of ${plural(all, 'account')}`;
  return (
    <p className="quiet">
      {modeWords[backfill.mode]}, {backfill.streams.join(', ')}, {accounts}
      {backfill.startedBy && `, started by ${backfill.startedBy}`} <RelativeTime at={backfill.createdAt} isFocusable />
    </p>
  );
}

/** One backfill: its range, progress, actions and chunks. */
export function BackfillEntry({ backfill, connection }: { backfill: Backfill; connection: Connection }) {
  const now = useNow(300_000);
  const { isActive } = backfillTable[backfill.state];
  const [isOpen, setOpen] = useState<boolean | null>(null);
  const hasChunks = isOpen ?? isActive;
  const range = formatDayRange(backfill.from, backfill.to, now);
  const pause = backfill.state === 'paused' ? whyPaused(backfill.pausedReason) : null;
  return (
    <section className={styles.entry} aria-label={`Backfill ${range}`}>
      <div className={styles.head}>
        <h2>{range}</h2>
        <BackfillStatus state={backfill.state} />
        <span className={styles.buttons}>
          <BackfillActions backfill={backfill} connectionId={connection.id} />
          <Button size="xs" variant="subtle" aria-expanded={hasChunks} onClick={() => setOpen(!hasChunks)}>
            {hasChunks ? 'Hide chunks' : 'Show chunks'}
          </Button>
        </span>
      </div>
      <About backfill={backfill} connection={connection} />
      {backfill.adjustedReason && (
        <p className="quiet">
          Starts on {backfill.from} instead of {backfill.requestedFrom}: {backfill.adjustedReason}
        </p>
      )}
      {pause && <p className="quiet">{pause}</p>}
      {backfill.failure && backfillCan.retryFailed(backfill) && (
        <p className={styles.failure}>
          {backfill.failure.message} {backfill.failure.action}.
        </p>
      )}
      <BackfillProgress backfill={backfill} />
      {hasChunks && <ChunkGrid backfill={backfill} connection={connection} />}
    </section>
  );
}
