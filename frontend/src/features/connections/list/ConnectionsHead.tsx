import styles from './ConnectionsTable.module.css';

/** The columns of the list, which its skeleton has too. The stylesheet fixes their widths. */
export const ConnectionsHead = ({ select }: { select: React.ReactNode }) => (
  <thead>
    <tr>
      <th scope="col" className={styles.select}>
        {select}
      </th>
      <th scope="col">Name</th>
      <th scope="col" className={styles.health}>
        Health
      </th>
      <th scope="col" className={styles.freshness}>
        Complete through
      </th>
      <th scope="col" className={styles.lastRun}>
        Last run
      </th>
      <th scope="col" className={styles.nextRun}>
        Next run
      </th>
      <th scope="col" className={styles.days}>
        Rows, 30 days
      </th>
      <th scope="col" className={styles.schedule}>
        Schedule
      </th>
      <th scope="col" className={styles.switch}>
        Enabled
      </th>
      <th scope="col" className={styles.menu}>
        <span className="visually-hidden">More</span>
      </th>
    </tr>
  </thead>
);
