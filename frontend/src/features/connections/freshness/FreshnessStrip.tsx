import type { FreshnessDay } from '~/api/types';
import { describeDays, freshnessTable } from '~/domain/connections/freshness';
import styles from './FreshnessStrip.module.css';

interface FreshnessStripProps {
  days: FreshnessDay[];
  size?: 'small' | 'normal';
}

/** One mark for each day, oldest first. The shape shows the state, and color only repeats it. */
export const FreshnessStrip = ({ days, size = 'normal' }: FreshnessStripProps) => (
  <span className={styles.strip} data-size={size} role="img" aria-label={describeDays(days)}>
    {days.map(({ day, state }) => (
      <span key={day} className={styles.day} data-state={state} title={`${day}: ${freshnessTable[state].word}`} />
    ))}
  </span>
);
