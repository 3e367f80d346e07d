import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import type { Connection, RunSummary } from '~/api/types';
import { chunksText } from '~/domain/connections/run-facts';
import { paths } from '~/domain/navigation/paths';
import { formatDuration, millisecondsBetween } from '~/lib/durations';
import { formatCount } from '~/lib/numbers';
import { formatPast } from '~/lib/relative-time';
import { useNow } from '~/lib/use-now';
import { useOrganizationId } from '~/session/organization-context';
import { Stat } from '~/ui/data/Stat';
import { RunStatus } from '~/components/status/Status';
import { kindText, resultOf, windowText } from './describe-run';
import styles from './LiveRun.module.css';

interface EndedRunProps {
  connection: Connection;
  run: RunSummary;
  /** The message that a notice above shows. */
  noticed: string | null;
  /** The run ended on this screen: its result is emphasized once. */
  isSettling: boolean;
}

/** The result of the last run, in the place and the shape of the active run. */
export function EndedRun({ connection, run, noticed, isSettling }: EndedRunProps) {
  const organizationId = useOrganizationId();
  const now = useNow();
  const tookMs = run.endedAt ? millisecondsBetween(run.startedAt, run.endedAt, now) : null;
  const about = [
    kindText(run),
    run.window && windowText(run, now),
    run.endedAt && `ended ${formatPast(run.endedAt, now)}`,
  ].filter(Boolean);
  const result = resultOf(run, noticed);
  return (
    <section
      className={styles.live}
      aria-label="Last run"
      data-ended
      data-settling={isSettling || undefined}
      data-state={run.state}
    >
      <div className={styles.head}>
        <RunStatus state={run.state} />
        <span className="quiet">{about.join(', ')}</span>
        <span className={styles.buttons}>
          <Button
            size="xs"
            variant="default"
            component={Link}
            to={paths.connection(organizationId, connection.id, { tab: 'runs', run: run.id })}
          >
            Open
          </Button>
        </span>
      </div>
      <p className={styles.note} title={result}>
        {result}
      </p>
      <div className={styles.readings}>
        <Stat label="Rows written">
          {formatCount(run.rowsWritten)} <span className="label">of {formatCount(run.rowsRead)} read</span>
        </Stat>
        <Stat label="Chunks">{chunksText({ ...run, verification: [] })}</Stat>
        <Stat label="API calls">{formatCount(run.apiCalls)}</Stat>
        <span className={styles.left}>{tookMs !== null && `Duration ${formatDuration(tookMs)}`}</span>
      </div>
    </section>
  );
}
