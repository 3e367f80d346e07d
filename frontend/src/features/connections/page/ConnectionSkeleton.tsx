import { Skeleton, Loading } from '~/ui/feedback/Skeleton';
import styles from './ConnectionSkeleton.module.css';

export const ConnectionSkeleton = () => (
  <Loading label="Loading the connection">
    <div className={styles.head}>
      <Skeleton width={84} height={10} />
      <Skeleton width={220} height={20} />
      <Skeleton width={320} height={12} />
    </div>
    <div className={styles.tabs}>
      {[64, 66, 40, 60].map((width, index) => (
        <Skeleton key={index} width={width} />
      ))}
    </div>
    <div className={styles.run} />
    {['20%', '40%', '36%', '40%', '36%'].map((width, index) => (
      <div key={index} className={styles.row}>
        <Skeleton width={width} />
      </div>
    ))}
  </Loading>
);
