import { useRunLog } from '~/api/connections/run-log';
import type { Run } from '~/api/types';
import { LoadMoreButton } from '~/components/list/LoadMoreButton';
import { formatTimeWithSeconds } from '~/lib/dates';
import { formatCount } from '~/lib/numbers';
import { useOrganizationId } from '~/session/organization-context';
import styles from './RunLog.module.css';

/** Older lines are above the others. They are keyed by their position, so that lines in view stay while others are added. */
export function RunLog({ run }: { run: Run }) {
  const { lines, pages, hasMore } = useRunLog(useOrganizationId(), run);
  if (lines.length === 0) return <p className="quiet">No log entries yet.</p>;
  return (
    <>
      {hasMore && (
        <div className={styles.older}>
          <p className="label">{formatCount(lines.length)} lines shown: warnings, errors and the newest lines</p>
          <LoadMoreButton pages={pages} hasMore={hasMore} label="Show older lines" />
        </div>
      )}
      <ol className={styles.log} tabIndex={0} aria-label="Log">
        {lines.map((line) => (
          <li key={line.position} data-level={line.level}>
            <time dateTime={line.at}>{formatTimeWithSeconds(line.at)}</time>
            <span>
              {line.level !== 'info' && <strong>{line.level === 'warn' ? 'Warning: ' : 'Error: '}</strong>}
              {line.message}
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}
