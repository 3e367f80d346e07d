import { useRun } from '~/api/connections/runs';
import type { PaymentDestination } from '~/api/types';
import { RunProgressBar } from '~/components/status/RunProgressBar';
import { RunStatus } from '~/components/status/Status';
import { runTable } from '~/domain/connections/connection-state';
import { formatTime } from '~/lib/dates';
import { formatTimeLeft } from '~/lib/durations';
import { formatCount } from '~/lib/numbers';
import { useNow } from '~/lib/use-now';
import { useOrganizationId } from '~/session/organization-context';
import { Stat } from '~/ui/data/Stat';
import styles from './Payment.module.css';

export function LiveRun({ name, runId }: { name: string; runId: string }) {
  const { data: run } = useRun(useOrganizationId(), runId);
  const now = useNow(1_000);
  if (!run || !runTable[run.state].isActive) return null;
  const elapsedMs = run.startedAt ? now.getTime() - Date.parse(run.startedAt) : 0;
  const left = formatTimeLeft(elapsedMs, run.slicesDone, run.slicesTotal);
  return (
    <section className={styles.live} aria-label={`Active run to ${name}`}>
      <div className={styles.head}>
        <RunStatus state={run.state} isStuck={run.isStuck} />
        <span className="quiet">{name}</span>
      </div>
      <RunProgressBar run={run} />
      <div className={styles.readings}>
        <Stat label="Rows written">
          {formatCount(run.rowsWritten)}
          {run.rowsRead > 0 && <span className="label"> of {formatCount(run.rowsRead)} read</span>}
        </Stat>
        <Stat label="Chunks">
          {run.slicesDone} of {run.slicesTotal}
        </Stat>
        <Stat label="API calls">{formatCount(run.apiCalls)}</Stat>
        <span className="label">
          {run.state === 'waiting' && run.resumeAt ? `Continues at ${formatTime(run.resumeAt)}` : (left ?? '')}
        </span>
      </div>
      {run.state === 'waiting' && run.failure && <p className={styles.reason}>{run.failure.message}</p>}
    </section>
  );
}

/** The active runs, one for each destination, with their progress. */
export const LiveRuns = ({ destinations }: { destinations: PaymentDestination[] }) =>
  destinations.map(({ id, name, activeRunId }) => activeRunId !== null && <LiveRun key={id} name={name} runId={activeRunId} />);
