import styles from './Page.module.css';

/** Main content with a column of facts next to it. Below 1088 px the facts are under the content. */
export const WithFacts = ({ facts, children }: { facts: React.ReactNode; children: React.ReactNode }) => (
  <div className={styles.withFacts}>
    <div className={styles.main}>{children}</div>
    <aside className={styles.facts} aria-label="Facts">
      {facts}
    </aside>
  </div>
);
