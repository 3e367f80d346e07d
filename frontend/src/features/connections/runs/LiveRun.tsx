import { Button } from '@mantine/core';
import { IconSquare } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import type { Connection, RunProgress, RunSummary } from '~/api/types';
import { useConnectionActions } from '~/api/connections/use-connection-actions';
import { formatTime } from '~/lib/dates';
import { formatTimeLeft } from '~/lib/durations';
import { formatCount } from '~/lib/numbers';
import { paths } from '~/domain/navigation/paths';
import { formatPast } from '~/lib/relative-time';
import { useAction } from '~/lib/use-action';
import { useNow } from '~/lib/use-now';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { icon } from '~/ui/icon';
import { Stat } from '~/ui/data/Stat';
import { RunStatus } from '~/components/status/Status';
import { toast } from '~/components/feedback/toast';
import { kindText, windowText } from './describe-run';
import styles from './LiveRun.module.css';
import { RunProgressBar } from '~/components/status/RunProgressBar';

function Readings({ run }: { run: RunProgress }) {
  const now = useNow(1_000);
  const elapsedMs = run.startedAt ? now.getTime() - Date.parse(run.startedAt) : 0;
  const left = formatTimeLeft(elapsedMs, run.slicesDone, run.slicesTotal);
  return (
    <div className={styles.readings}>
      <Stat label="Rows written">
        {formatCount(run.rowsWritten)}
        {run.rowsRead > 0 && <span className="label"> of {formatCount(run.rowsRead)} read</span>}
      </Stat>
      {run.rowsPerSecond > 0 && <Stat label="Rate">{formatCount(run.rowsPerSecond)} rows/s</Stat>}
      <Stat label="Chunks">
        {run.slicesDone} of {run.slicesTotal}
      </Stat>
      <Stat label="API calls">{formatCount(run.apiCalls)}</Stat>
      <span className={styles.left}>
        {run.state === 'waiting' && run.resumeAt ? `Continues at ${formatTime(run.resumeAt)}` : (left ?? '')}
      </span>
    </div>
  );
}

function CancelButton({ connection, run }: { connection: Connection; run: RunProgress }) {
  const { cancelRun } = useConnectionActions(useOrganizationId());
  const disabledReason = usePermissionGate('runs.start');
  const { run: perform, isBusy } = useAction({ onError: toast.failed });
  return (
    <Button
      size="xs"
      variant="subtle"
      leftSection={<IconSquare {...icon} size={14} />}
      loading={isBusy}
      disabled={disabledReason !== null}
      onClick={() => void perform(() => cancelRun(connection.id, run.runId))}
    >
      Cancel run
    </Button>
  );
}

interface LiveRunProps {
  connection: Connection;
  run: RunProgress;
  /** Undefined until the list of runs contains it. */
  summary: RunSummary | undefined;
}

/** The active run with its progress, rate and remaining time. */
export function LiveRun({ connection, run, summary }: LiveRunProps) {
  const organizationId = useOrganizationId();
  const now = useNow();
  const about = [
    summary && kindText(summary),
    summary?.window && windowText(summary, now),
    run.startedAt && `started ${formatPast(run.startedAt, now)}`,
    run.isStuck && 'no progress for 2 minutes',
    summary?.hasFollowUp && 'a manual run follows',
  ].filter(Boolean);
  return (
    <section className={styles.live} aria-label="Active run">
      <div className={styles.head}>
        <RunStatus state={run.state} isStuck={run.isStuck} />
        <span className="quiet">{about.join(', ')}</span>
        <span className={styles.buttons}>
          <Button
            size="xs"
            variant="default"
            component={Link}
            to={paths.connection(organizationId, connection.id, { tab: 'runs', run: run.runId })}
          >
            Open
          </Button>
          <CancelButton connection={connection} run={run} />
        </span>
      </div>
      <RunProgressBar run={run} />
      <Readings run={run} />
      {run.state === 'waiting' && run.failure && <p className={styles.reason}>{run.failure.message}</p>}
    </section>
  );
}
