import styles from './SettingRow.module.css';

interface SettingRowProps {
  title: string;
  hint?: string;
  /** Title and hint are above the control, which takes the whole width: for tables. */
  isWide?: boolean;
  /** Of a `FieldProblem`. */
  field?: string;
  children: React.ReactNode;
}

/** A setting: its title and hint on the left, the control on the right. */
export const SettingRow = ({ title, hint, isWide, field, children }: SettingRowProps) => (
  <section className={styles.row} data-wide={isWide || undefined} aria-label={title} data-field={field}>
    <div className={styles.head}>
      <h2>{title}</h2>
      {hint && <p className="label">{hint}</p>}
    </div>
    <div className={styles.control}>{children}</div>
  </section>
);
