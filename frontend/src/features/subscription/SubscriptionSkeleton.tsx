import { Skeleton, Loading } from '~/ui/feedback/Skeleton';
import styles from './Subscription.module.css';

/** Skeleton of the plan and its features. */
export const SubscriptionSkeleton = () => (
  <Loading label="Loading the subscription">
    <div className={styles.plan}>
      <div className={styles.offer}>
        <Skeleton width={96} height={20} />
        <Skeleton width={240} />
        <Skeleton width={128} height={36} />
        <Skeleton width={144} height={40} radius={6} />
        <Skeleton width={220} />
      </div>
      <div className={styles.contents}>
        {[160, 220, 170, 230, 180].map((width) => (
          <Skeleton key={width} width={width} />
        ))}
      </div>
    </div>
  </Loading>
);
