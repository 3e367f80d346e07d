import { Drawer, Tabs } from '@mantine/core';
import { useSearchParams } from 'react-router-dom';
import { useRun } from '~/api/connections/runs';
import type { Connection, Run } from '~/api/types';
import { runTable } from '~/domain/connections/connection-state';
import { formatNearDay, formatTime, localDay } from '~/lib/dates';
import { formatDuration, formatTimeLeft } from '~/lib/durations';
import { formatCount } from '~/lib/numbers';
import { sentence } from '~/lib/sentence';
import { chunksText } from '~/domain/connections/run-facts';
import { describeProgress } from '~/domain/connections/run-progress';
import { useNow } from '~/lib/use-now';
import { useOrganizationId } from '~/session/organization-context';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { ErrorNotice } from '~/components/feedback/ErrorNotice';
import { Notice } from '~/ui/feedback/Notice';
import { Stat } from '~/ui/data/Stat';
import { RunStatus } from '~/components/status/Status';
import { RunLog } from './RunLog';
import { RunRequests } from './RunRequests';
import styles from './RunDrawer.module.css';
import { RunSummaryTab } from './RunSummaryTab';
import { RunProgressBar } from '~/components/status/RunProgressBar';

const TABS = [
  { value: 'summary', label: 'Summary' },
  { value: 'log', label: 'Log' },
  { value: 'requests', label: 'Requests' },
];

function Head({ run }: { run: Run }) {
  const now = useNow(1_000);
  const isActive = runTable[run.state].isActive;
  const elapsedMs = run.startedAt ? now.getTime() - Date.parse(run.startedAt) : 0;
  const tookMs = run.startedAt && run.endedAt ? Date.parse(run.endedAt) - Date.parse(run.startedAt) : null;
  return (
    <div className={styles.head}>
      <div className={styles.line}>
        <RunStatus state={run.state} word={isActive ? describeProgress(run) : undefined} />
        <span className="strong">
          {isActive
            ? (formatTimeLeft(elapsedMs, run.slicesDone, run.slicesTotal) ?? '')
            : tookMs !== null && `Duration ${formatDuration(tookMs)}`}
        </span>
      </div>
      {isActive && <RunProgressBar run={run} />}
      <div className={styles.readings}>
        <Stat label="Rows written">
          {formatCount(run.rowsWritten)} <span className="label">of {formatCount(run.rowsRead)} read</span>
        </Stat>
        <Stat label="Chunks">{chunksText(run)}</Stat>
        {run.quotaWaitMs > 0 && <Stat label="Quota wait">{formatDuration(run.quotaWaitMs)}</Stat>}
      </div>
      {run.failure && (
        <Notice tone={run.state === 'failed' ? 'danger' : 'warn'} title={run.failure.message}>
          {sentence(run.failure.action)}
          {run.failure.providerRequestId && (
            <>
              {' '}
              Request <code>{run.failure.providerRequestId}</code>
            </>
          )}
        </Notice>
      )}
    </div>
  );
}

interface RunDrawerProps {
  connection: Connection;
  runId: string | null;
  onClose: () => void;
}

export function RunDrawer({ connection, runId, onClose }: RunDrawerProps) {
  const { data: run, error, mutate } = useRun(useOrganizationId(), runId);
  const [parameters, setParameters] = useSearchParams();
  const tab = TABS.find(({ value }) => value === parameters.get('details'))?.value ?? 'summary';
  const show = (value: string | null) =>
    setParameters(
      (before) => {
        before.set('details', value ?? 'summary');
        return before;
      },
      { replace: true },
    );
  const now = useNow();
  const startedAt = run ? (run.startedAt ?? run.queuedAt) : null;
  return (
    <Drawer
      opened={runId !== null}
      onClose={onClose}
      title={startedAt ? `Run at ${formatTime(startedAt)}, ${formatNearDay(localDay(new Date(startedAt)), now)}` : 'Run'}
      closeButtonProps={{ 'aria-label': 'Close' }}
      classNames={{ content: styles.drawer }}
    >
      {error !== undefined && <ErrorNotice error={error} title="Couldn’t load this run" onRetry={() => void mutate()} />}
      {!run && error === undefined && <TableSkeleton label="Loading the run" rows={6} widths={['40%', '20%', 60]} />}
      {run && (
        <>
          <Head run={run} />
          <Tabs value={tab} onChange={show} keepMounted={false}>
            <Tabs.List aria-label="Run details">
              {TABS.map(({ value, label }) => (
                <Tabs.Tab key={value} value={value}>
                  {label}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            <Tabs.Panel value="summary" className={styles.body}>
              <RunSummaryTab run={run} connection={connection} />
            </Tabs.Panel>
            <Tabs.Panel value="log" className={styles.body}>
              <RunLog run={run} />
            </Tabs.Panel>
            <Tabs.Panel value="requests" className={styles.body}>
              <RunRequests requests={run.requests} />
            </Tabs.Panel>
          </Tabs>
        </>
      )}
    </Drawer>
  );
}
