import { LockedReason } from '~/ui/feedback/LockedReason';
import styles from './MenuReason.module.css';

/** The last line of a menu: why its items are disabled. */
export const MenuReason = ({ children }: { children: string | null }) =>
  children === null ? null : (
    <div className={styles.reason}>
      <LockedReason>{children}</LockedReason>
    </div>
  );
