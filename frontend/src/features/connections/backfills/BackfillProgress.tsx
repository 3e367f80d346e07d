import type { Backfill } from '~/api/types';
import { backfillTable } from '~/domain/connections/backfill';
import { formatTimeLeft } from '~/lib/durations';
import { formatCount } from '~/lib/numbers';
import { Stat } from '~/ui/data/Stat';
import styles from './Backfills.module.css';

/** Share of the days that are loaded, with counts, rate and remaining time. */
export function BackfillProgress({ backfill: { progress, state } }: { backfill: Backfill }) {
  const { daysDone, daysTotal, chunksDone, chunksTotal, chunksFailed, rows, rowsPerSecond, secondsLeft } = progress;
  const percent = daysTotal === 0 ? 100 : Math.floor((100 * daysDone) / daysTotal);
  const left = secondsLeft === null ? null : formatTimeLeft(daysDone, daysDone, daysDone + secondsLeft * 1_000);
  return (
    <>
      <div
        className={styles.bar}
        role="progressbar"
        aria-label="Backfill"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={`${backfillTable[state].word}, ${percent}%, ${chunksDone} of ${chunksTotal} chunks`}
      >
        <div className={styles.fill} style={{ transform: `scaleX(${percent / 100})` }} />
      </div>
      <div className={styles.readings}>
        <Stat label="Days">
          {formatCount(daysDone)} of {formatCount(daysTotal)}
        </Stat>
        <Stat label="Chunks">
          {formatCount(chunksDone)} of {formatCount(chunksTotal)}
        </Stat>
        {chunksFailed > 0 && <Stat label="Failed">{formatCount(chunksFailed)}</Stat>}
        <Stat label="Rows">{formatCount(rows)}</Stat>
        {state === 'running' && rowsPerSecond > 0 && <Stat label="Rate">{formatCount(rowsPerSecond)} rows/s</Stat>}
        {left && <span className={styles.left}>{left}</span>}
      </div>
    </>
  );
}
