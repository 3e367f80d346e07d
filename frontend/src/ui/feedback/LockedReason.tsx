import { IconLock } from '@tabler/icons-react';
import { icon } from '~/ui/icon';
import styles from './LockedReason.module.css';

/** Beside what is closed to the reader: a lock, and why. */
export const LockedReason = ({ children }: { children: React.ReactNode }) => (
  <span className={styles.reason}>
    <IconLock {...icon} size={14} />
    {children}
  </span>
);
