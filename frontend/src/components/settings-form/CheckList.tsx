import {
  IconAlertCircle,
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleMinus,
  IconLoader2,
} from '@tabler/icons-react';
import { formatDuration } from '~/lib/durations';
import styles from './CheckList.module.css';
import { icon } from '~/ui/icon';
import statusStyles from '~/components/status/Status.module.css';

export interface CheckLine {
  code: string;
  label: string;
  state: 'passed' | 'failed' | 'skipped';
  detail: string | null;
  action: string | null;
  /** The step passed with a warning. */
  isWarning?: boolean;
  durationMs: number;
}

const marks = {
  passed: <IconCircleCheck {...icon} color="var(--t-good)" />,
  warning: <IconAlertTriangle {...icon} color="var(--t-warn)" />,
  failed: <IconAlertCircle {...icon} color="var(--t-danger)" />,
  skipped: <IconCircleMinus {...icon} color="var(--t-ink-3)" />,
};
const words = { passed: 'Passed', warning: 'Warning', failed: 'Failed', skipped: 'Skipped' };

const kindOf = ({ state, isWarning }: CheckLine) => (state === 'passed' && isWarning ? 'warning' : state);

/** The steps of a check with their results. Failures and warnings include the cause and an action. */
export const CheckList = ({ items }: { items: CheckLine[] }) => (
  <ul className={styles.list}>
    {items.map((item) => (
      <li key={item.code} className={styles.item} data-state={kindOf(item)}>
        {marks[kindOf(item)]}
        <div className={styles.text}>
          <span className={styles.label}>{item.label}</span>
          <span className="visually-hidden">: {words[kindOf(item)]}</span>
          {item.detail && kindOf(item) !== 'passed' && <span className={styles.detail}>{item.detail}</span>}
          {item.action && ['failed', 'warning'].includes(kindOf(item)) && <span className={styles.action}>{item.action}</span>}
        </div>
        <span className={styles.time}>
          {item.state === 'skipped' ? 'skipped' : item.durationMs >= 1 && formatDuration(item.durationMs)}
        </span>
      </li>
    ))}
  </ul>
);

/** The steps of a check that is running, in order; the first `done` of them have ended. */
export const PendingCheckList = ({ labels, done = 0 }: { labels: string[]; done?: number }) => (
  <ul className={styles.list} role="status" aria-label="Checking">
    {labels.map((label, index) => (
      <li key={label} className={styles.item} data-state="pending">
        {index < done ? (
          <IconCircleCheck {...icon} color="var(--t-ink-2)" />
        ) : index === done ? (
          <IconLoader2 {...icon} className={statusStyles.turning} color="var(--t-accent)" />
        ) : (
          <IconCircleDashed {...icon} color="var(--t-ink-3)" />
        )}
        <div className={styles.text}>
          {label}
          {index < done && <span className="visually-hidden">: done</span>}
        </div>
      </li>
    ))}
  </ul>
);

export const passedCount = (items: CheckLine[]): string =>
  `${items.filter((item) => item.state === 'passed').length} of ${items.length}`;
