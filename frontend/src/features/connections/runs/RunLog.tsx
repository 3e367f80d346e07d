import type { LogLine } from '~/api/types';
import { formatTimeWithSeconds } from '~/lib/dates';
import styles from './RunLog.module.css';

export const RunLog = ({ lines }: { lines: LogLine[] }) =>
  lines.length === 0 ? (
    <p className="quiet">No log entries yet.</p>
  ) : (
    <ol className={styles.log} tabIndex={0} aria-label="Log">
      {lines.map((line, index) => (
        <li key={index} data-level={line.level}>
          <time dateTime={line.at}>{formatTimeWithSeconds(line.at)}</time>
          <span>
            {line.level !== 'info' && <strong>{line.level === 'warn' ? 'Warning: ' : 'Error: '}</strong>}
            {line.message}
          </span>
        </li>
      ))}
    </ol>
  );
