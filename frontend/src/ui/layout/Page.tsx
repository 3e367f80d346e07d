import { Link } from 'react-router-dom';
import styles from './Page.module.css';

interface PageHeaderProps {
  title: string;
  parent?: { label: string; to: string };
  mark?: React.ReactNode;
  status?: React.ReactNode;
  subtitle?: React.ReactNode;
  actions?: React.ReactNode;
}

export function PageHeader({ title, parent, mark, status, subtitle, actions }: PageHeaderProps) {
  return (
    <header className={styles.header}>
      {mark}
      <div className={styles.heading}>
        {parent && (
          <Link to={parent.to} className={styles.parent}>
            {parent.label}
          </Link>
        )}
        <div className={styles.title}>
          <h1>{title}</h1>
          {status}
        </div>
        {subtitle && <div className={styles.subtitle}>{subtitle}</div>}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </header>
  );
}

interface PageProps {
  children: React.ReactNode;
  /** `form` (at most 1024 px) for forms, settings and the wizard; `full` for lists. */
  width?: 'form' | 'full';
}

export const Page = ({ children, width = 'full' }: PageProps) => (
  <div className={styles.page} data-width={width}>
    {children}
  </div>
);

interface SectionProps {
  title: string;
  aside?: React.ReactNode;
  children: React.ReactNode;
}

export const Section = ({ title, aside, children }: SectionProps) => (
  <section className={styles.section} aria-label={title}>
    <div className={styles.sectionHead}>
      <h2>{title}</h2>
      {aside && <div className={styles.aside}>{aside}</div>}
    </div>
    {children}
  </section>
);
