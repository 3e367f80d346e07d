import { Bone, Loading } from '~/ui/feedback/Bone';
import styles from './Subscription.module.css';

/** The plan's box and its rows, before they come. */
export const SubscriptionBones = () => (
  <Loading label="Loading the subscription">
    <div className={styles.plan}>
      <div className={styles.offer}>
        <Bone width={96} height={20} />
        <Bone width={240} />
        <Bone width={128} height={36} />
        <Bone width={144} height={40} radius={6} />
        <Bone width={220} />
      </div>
      <div className={styles.contents}>
        {[160, 220, 170, 230, 180].map((width) => (
          <Bone key={width} width={width} />
        ))}
      </div>
    </div>
  </Loading>
);
