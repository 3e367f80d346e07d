import type { Connection, Run } from '~/api/types';
import { formatTimeWithSeconds } from '~/lib/dates';
import { Section } from '~/ui/layout/Page';
import { Status } from '~/components/status/Status';
import { IconCircleCheck, IconCircleX, IconLoader2 } from '@tabler/icons-react';
import styles from './RunSummaryTab.module.css';
import { RunSlices } from './RunSlices';
import { RunSteps } from './RunSteps';
import { RunProof } from '~/features/connections/proof/RunProof';

function Attempts({ run }: { run: Run }) {
  return (
    <Section title="Attempts" aside={run.attempts.some((attempt) => attempt.failure) ? undefined : 'None failed'}>
      <ol className={styles.attempts}>
        {run.attempts.map((attempt) => (
          <li key={attempt.n}>
            <span className="label">{attempt.n}</span>
            <span className="quiet">{formatTimeWithSeconds(attempt.startedAt)}</span>
            <span className={styles.message}>{attempt.failure?.message ?? (attempt.endedAt ? 'Succeeded' : 'In progress')}</span>
            {attempt.failure ? (
              <Status icon={IconCircleX} tone="danger">
                Failed
              </Status>
            ) : (
              <Status icon={attempt.endedAt ? IconCircleCheck : IconLoader2} tone={attempt.endedAt ? 'good' : 'accent'}>
                {attempt.endedAt ? 'Ended' : 'Running'}
              </Status>
            )}
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** The proof first: whether everything that was read is at the destination. */
export const RunSummaryTab = ({ run, connection }: { run: Run; connection: Connection }) => (
  <>
    {run.verification.length > 0 && <RunProof key={run.id} runId={run.id} connection={connection} />}
    <RunSteps run={run} />
    {run.slices.length > 0 && <RunSlices slices={run.slices} total={run.slicesTotal} />}
    {run.attempts.length > 0 && <Attempts run={run} />}
  </>
);
