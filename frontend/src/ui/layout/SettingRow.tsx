import styles from './SettingRow.module.css';

interface SettingRowProps {
  title: string;
  hint?: string;
  children: React.ReactNode;
}

/** What is set, in words at the left; the control at the right. */
export const SettingRow = ({ title, hint, children }: SettingRowProps) => (
  <section className={styles.row} aria-label={title}>
    <div className={styles.head}>
      <h2>{title}</h2>
      {hint && <p className="label">{hint}</p>}
    </div>
    <div className={styles.control}>{children}</div>
  </section>
);
