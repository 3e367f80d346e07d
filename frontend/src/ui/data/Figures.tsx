import { Skeleton } from '~/ui/feedback/Skeleton';
import styles from './Figures.module.css';

interface FigureProps {
  label: string;
  /** Undefined while loading. */
  value: string | undefined;
  note: React.ReactNode;
}

export function Figure({ label, value, note }: FigureProps) {
  return (
    <div className={styles.figure}>
      <p className="label">{label}</p>
      {value === undefined ? (
        <div className={styles.loading}>
          <Skeleton width={120} height={20} />
        </div>
      ) : (
        <p className={styles.value}>{value}</p>
      )}
      <div className={styles.note}>{note}</div>
    </div>
  );
}

/** A row of four figures between two lines. */
export const FigureRow = ({ children }: { children: React.ReactNode }) => (
  <section className={styles.figures} aria-label="Figures">
    {children}
  </section>
);
