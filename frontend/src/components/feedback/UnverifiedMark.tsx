import styles from './UnverifiedMark.module.css';

/** Shown next to an unverified email address. */
export const UnverifiedMark = () => (
  <span className={styles.mark} title="This email address is not verified">
    not verified
  </span>
);
