import { Skeleton, Loading } from '~/ui/feedback/Skeleton';
import counters from './Counters.module.css';
import styles from './ConnectionsSkeleton.module.css';

const ROWS = [96, 130, 104, 150, 116, 140, 124, 100];

/** Uses the counters, rows and widths of the list, and as many rows as the organization has connections. */
export const ConnectionsSkeleton = ({ count }: { count: number | undefined }) => (
  <Loading label="Loading connections">
    <div className={counters.counters}>
      {[28, 92, 40, 30, 42].map((width, index) => (
        <div key={index} className={counters.counter}>
          <Skeleton width={28} height={16} />
          <span style={{ display: 'block', height: 8 }} />
          <Skeleton width={width} height={10} />
        </div>
      ))}
    </div>
    <Skeleton width={240} height={32} radius={6} />
    <div className={styles.head} />
    {ROWS.slice(0, count ?? ROWS.length).map((width, index) => (
      <div key={index} className={styles.row}>
        <Skeleton width={60} height={20} />
        <div className={styles.name}>
          <Skeleton width={width} height={11} />
          <Skeleton width={120} height={9} />
        </div>
        <div className={styles.health}>
          <Skeleton width={width - 10} height={11} />
          <Skeleton width={width + 40} height={9} />
        </div>
        <div className={styles.more}>
          <Skeleton width={64} />
          <Skeleton width={64} />
          <Skeleton width={119} height={20} />
        </div>
        <Skeleton width={32} height={18} radius={9} />
      </div>
    ))}
  </Loading>
);
