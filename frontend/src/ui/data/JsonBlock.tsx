import styles from './JsonBlock.module.css';

/** Raw data as formatted JSON. It scrolls by keyboard, too. */
export const JsonBlock = ({ label, value }: { label: string; value: unknown }) => (
  <pre className={styles.json} tabIndex={0} role="region" aria-label={label}>
    {JSON.stringify(value, null, 2)}
  </pre>
);
