import styles from './UnverifiedMark.module.css';

/** Shown beside an unverified e-mail address. */
export const UnverifiedMark = () => (
  <span className={styles.mark} title="Nobody has shown that this address is theirs">
    not verified
  </span>
);
