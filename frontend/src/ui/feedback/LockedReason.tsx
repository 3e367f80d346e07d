import { IconLock } from '@tabler/icons-react';
import { icon } from '~/ui/icon';
import styles from './LockedReason.module.css';

/** A lock icon and the reason, shown next to a disabled control. */
export const LockedReason = ({ children }: { children: React.ReactNode }) => (
  <span className={styles.reason}>
    <IconLock {...icon} size={14} />
    {children}
  </span>
);
