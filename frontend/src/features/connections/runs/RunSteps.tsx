import { IconCircleCheck, IconCircleDashed, IconCircleX, IconLoader2 } from '@tabler/icons-react';
import type { Run } from '~/api/types';
import { runTable } from '~/domain/connections/connection-state';
import { formatCount, plural } from '~/lib/numbers';
import { RUN_STEPS, stepFractions, stepWord } from '~/domain/connections/run-progress';
import type { RunStep } from '~/domain/connections/run-progress';
import { icon } from '~/ui/icon';
import { Section } from '~/ui/layout/Page';
import status from '~/components/status/Status.module.css';
import styles from './RunSteps.module.css';

/** What each step did, in the run's own counts. */
function detailOf(step: RunStep, run: Run): string {
  const streams = new Set(run.slices.map((slice) => slice.stream)).size;
  const accounts = new Set(run.slices.map((slice) => slice.accountId)).size;
  switch (step) {
    case 'plan':
      return run.slicesTotal === 0
        ? 'Cuts the days into slices'
        : run.slices.length < run.slicesTotal
          ? plural(run.slicesTotal, 'slice')
          : `${plural(run.slicesTotal, 'slice')}: ${plural(streams, 'stream')}, ${plural(accounts, 'account')}`;
    case 'extract':
      return `${plural(run.rowsRead, 'row')} in ${plural(run.apiCalls, 'API call')}`;
    case 'stage':
      return `${formatCount(Math.round(run.bytes / 1024))} kB beside the tables`;
    case 'load':
      return `${run.slicesDone} of ${plural(run.slicesTotal, 'slice')}, each in one transaction`;
    case 'verify':
      return run.verify
        ? `${formatCount(run.verify.found.rows)} of ${formatCount(run.verify.expected.rows)} rows counted at the destination`
        : 'Counts rows and cost at the destination';
    case 'commit':
      return 'Moves coverage forward';
  }
}

type StepState = 'done' | 'moving' | 'failed' | 'waiting';

function stateOf(index: number, run: Run): StepState {
  const fraction = stepFractions(run)[index] ?? 0;
  if (run.state === 'succeeded' || fraction >= 1) return 'done';
  const current = run.step ? RUN_STEPS.indexOf(run.step) : -1;
  if (runTable[run.state].isActive) return fraction > 0 || index === current ? 'moving' : 'waiting';
  return index === current ? 'failed' : index < current ? 'done' : 'waiting';
}

const marks: Record<StepState, React.ReactNode> = {
  done: <IconCircleCheck {...icon} color="var(--t-accent)" />,
  moving: <IconLoader2 {...icon} className={status.turning} color="var(--t-accent)" />,
  failed: <IconCircleX {...icon} color="var(--t-danger)" />,
  waiting: <IconCircleDashed {...icon} color="var(--t-ink-3)" />,
};
const words: Record<StepState, string> = { done: 'done', moving: 'under way', failed: 'stopped here', waiting: 'to come' };

export const RunSteps = ({ run }: { run: Run }) => (
  <Section title="Steps">
    <ol className={styles.steps}>
      {RUN_STEPS.map((step, index) => {
        const state = stateOf(index, run);
        return (
          <li key={step} data-state={state}>
            {marks[state]}
            <div>
              <span className={styles.word}>{stepWord[step]}</span>
              <span className="visually-hidden">: {words[state]}</span>
              <span className={styles.detail}>{detailOf(step, run)}</span>
            </div>
          </li>
        );
      })}
    </ol>
  </Section>
);
