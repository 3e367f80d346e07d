import { Bone, Loading } from '~/ui/feedback/Bone';
import counters from './Counters.module.css';
import styles from './ConnectionsBones.module.css';

const ROWS = [96, 130, 104, 150, 116, 140, 124, 100];

/** The list's own counters, rows and widths. */
export const ConnectionsBones = () => (
  <Loading label="Loading connections">
    <div className={counters.counters}>
      {[28, 92, 40, 30, 42].map((width, index) => (
        <div key={index} className={counters.counter}>
          <Bone width={28} height={16} />
          <span style={{ display: 'block', height: 8 }} />
          <Bone width={width} height={10} />
        </div>
      ))}
    </div>
    <Bone width={240} height={32} radius={6} />
    <div className={styles.head} />
    {ROWS.map((width, index) => (
      <div key={index} className={styles.row}>
        <Bone width={60} height={20} />
        <div className={styles.name}>
          <Bone width={width} height={11} />
          <Bone width={120} height={9} />
        </div>
        <div className={styles.health}>
          <Bone width={width - 10} height={11} />
          <Bone width={width + 40} height={9} />
        </div>
        <div className={styles.more}>
          <Bone width={64} />
          <Bone width={64} />
          <Bone width={119} height={20} />
        </div>
        <Bone width={32} height={18} radius={9} />
      </div>
    ))}
  </Loading>
);
