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

/** Result of each step, with the counts of the run. */
function detailOf(step: RunStep, run: Run): string {
  const streams = new Set(run.slices.map((slice) => slice.stream)).size;
  const accounts = new Set(run.slices.map((slice) => slice.accountId)).size;
  switch (step) {
    case 'plan':
      return run.slicesTotal === 0
        ? 'Splits the days into chunks'
        : run.slices.length < run.slicesTotal
          ? plural(run.slicesTotal, 'chunk')
          : `${plural(run.slicesTotal, 'chunk')}: ${plural(streams, 'stream')}, ${plural(accounts, 'account')}`;
    case 'extract':
      return `${plural(run.rowsRead, 'row')} in ${plural(run.apiCalls, 'API call')}`;
    case 'stage':
      return `${formatCount(Math.round(run.bytes / 1024))} kB staged`;
    case 'load':
      return `${run.slicesDone} of ${plural(run.slicesTotal, 'chunk')}, each in one transaction`;
    case 'verify':
      return run.verify
        ? `${formatCount(run.verify.found.rows)} of ${formatCount(run.verify.expected.rows)} rows counted at the destination`
        : 'Counts rows and cost at the destination';
    case 'commit':
      return 'Updates coverage';
  }
}

type StepState = 'done' | 'active' | 'failed' | 'waiting';

function stateOf(index: number, run: Run): StepState {
  const fraction = stepFractions(run)[index] ?? 0;
  if (run.state === 'succeeded' || fraction >= 1) return 'done';
  const current = run.step ? RUN_STEPS.indexOf(run.step) : -1;
  if (runTable[run.state].isActive) return fraction > 0 || index === current ? 'active' : 'waiting';
  return index === current ? 'failed' : index < current ? 'done' : 'waiting';
}

const marks: Record<StepState, React.ReactNode> = {
  done: <IconCircleCheck {...icon} color="var(--t-accent)" />,
  active: <IconLoader2 {...icon} className={status.turning} color="var(--t-accent)" />,
  failed: <IconCircleX {...icon} color="var(--t-danger)" />,
  waiting: <IconCircleDashed {...icon} color="var(--t-ink-3)" />,
};
const words: Record<StepState, string> = { done: 'done', active: 'in progress', failed: 'failed', waiting: 'pending' };

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
