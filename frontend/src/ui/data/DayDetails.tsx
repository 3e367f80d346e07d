import type { ReactNode } from 'react';
import styles from './DayDetails.module.css';

/** The exact figures of the day under the pointer, above its chart. Keeps its line while there is none. The table has the same figures. */
export const DayDetails = ({ label, children }: { label?: ReactNode; children: ReactNode }) => (
  <p className={styles.line} aria-hidden={label === undefined || undefined}>
    {label}
    <span className={styles.details} aria-hidden>
      {children}
    </span>
  </p>
);
