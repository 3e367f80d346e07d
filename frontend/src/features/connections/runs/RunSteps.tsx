import {
  IconCircleCheck,
  IconCircleDashed,
  IconCircleHalf2,
  IconCircleMinus,
  IconCircleX,
  IconLoader2,
} from '@tabler/icons-react';
import type { Run } from '~/api/types';
import { stepStateOf, stepStateWord, stepText } from '~/domain/connections/run-facts';
import type { StepState } from '~/domain/connections/run-facts';
import { formatDuration } from '~/lib/durations';
import { RUN_STEPS, stepWord } from '~/domain/connections/run-progress';
import { icon } from '~/ui/icon';
import { Section } from '~/ui/layout/Page';
import status from '~/components/status/Status.module.css';
import styles from './RunSteps.module.css';

const marks: Record<StepState, React.ReactNode> = {
  done: <IconCircleCheck {...icon} color="var(--t-accent)" />,
  active: <IconLoader2 {...icon} className={status.turning} color="var(--t-accent)" />,
  partly: <IconCircleHalf2 {...icon} color="var(--t-warn)" />,
  failed: <IconCircleX {...icon} color="var(--t-danger)" />,
  stopped: <IconCircleMinus {...icon} color="var(--t-ink-3)" />,
  not_reached: <IconCircleDashed {...icon} color="var(--t-ink-3)" />,
  pending: <IconCircleDashed {...icon} color="var(--t-ink-3)" />,
};

/** The six steps with their results. Chunks are loaded in parallel, so the durations of all chunks can exceed that of the run. */
export const RunSteps = ({ run }: { run: Run }) => (
  <Section title="Steps" aside="Time over all chunks">
    <ol className={styles.steps}>
      {RUN_STEPS.map((step) => {
        const state = stepStateOf(step, run);
        const tookMs = state === 'not_reached' ? null : run.stepMs[step];
        return (
          <li key={step} data-state={state}>
            {marks[state]}
            <div className={styles.text}>
              <span className={styles.word}>{stepWord[step]}</span>
              <span className="visually-hidden">: {stepStateWord[state]}</span>
              <span className={styles.detail}>{stepText(step, run)}</span>
            </div>
            {tookMs !== null && <span className="label">{formatDuration(tookMs)}</span>}
          </li>
        );
      })}
    </ol>
  </Section>
);
