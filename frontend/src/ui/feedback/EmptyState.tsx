import { Logo } from '~/ui/data/Logo';
import styles from './EmptyState.module.css';

interface EmptyStateProps {
  title: string;
  children: React.ReactNode;
  action?: React.ReactNode;
  link?: React.ReactNode;
}

/** An empty state: the logo, a title, one sentence, one button, and at most one link. */
export const EmptyState = ({ title, children, action, link }: EmptyStateProps) => (
  <div className={styles.empty}>
    <Logo size={36} />
    <p className={styles.title}>{title}</p>
    <p className={styles.text}>{children}</p>
    {action}
    {link && <div className={styles.link}>{link}</div>}
  </div>
);
