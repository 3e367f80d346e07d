import { IconAlertCircle, IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import { icon } from '~/ui/icon';
import styles from './Notice.module.css';

type NoticeTone = 'danger' | 'warn' | 'accent';

const icons: Record<NoticeTone, Icon> = { danger: IconAlertCircle, warn: IconAlertTriangle, accent: IconInfoCircle };

interface NoticeProps {
  tone: NoticeTone;
  title?: string;
  icon?: Icon;
  actions?: React.ReactNode;
  children?: React.ReactNode;
  /** Announces the notice immediately: for the result of a user action. */
  isAlert?: boolean;
}

/** A notice: a bold title, one or two sentences, and actions. A page shows at most one. */
export function Notice({ tone, title, icon: NoticeIcon = icons[tone], actions, children, isAlert }: NoticeProps) {
  return (
    <div className={styles.notice} data-tone={tone} role={isAlert ? 'alert' : 'group'} aria-label={isAlert ? undefined : title}>
      <NoticeIcon {...icon} className={styles.icon} />
      <div className={styles.body}>
        {title && <p className={styles.title}>{title}</p>}
        {children && <div className={styles.text}>{children}</div>}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}
