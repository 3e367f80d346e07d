import styles from './UnverifiedMark.module.css';

/** Beside an address that nobody has shown to be theirs. */
export const UnverifiedMark = () => (
  <span className={styles.mark} title="Nobody has shown that this address is theirs">
    not verified
  </span>
);
