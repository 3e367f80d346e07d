import type { ProgressFacts } from '~/domain/connections/run-progress';
import { describeProgress, progressPercent, RUN_STEPS, stepFractions, stepWord } from '~/domain/connections/run-progress';
import styles from './RunProgressBar.module.css';

/** Step and progress in one bar. Screen readers announce a change of step, not each percent. */
export function RunProgressBar({ run }: { run: ProgressFacts }) {
  const fractions = stepFractions(run);
  const percent = progressPercent(run);
  return (
    <>
      <div
        className={styles.bar}
        role="progressbar"
        aria-label="Run"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={`${describeProgress(run)}, ${run.slicesDone} of ${run.slicesTotal} chunks`}
      >
        {RUN_STEPS.map((step, index) => (
          <div key={step} className={styles.part} data-current={step === run.step || undefined} aria-hidden>
            <div className={styles.track}>
              <div className={styles.fill} style={{ transform: `scaleX(${fractions[index] ?? 0})` }} />
            </div>
            <span className={styles.word}>
              {stepWord[step]}
              {step === run.step && step !== 'plan' && step !== 'commit' && <span className={styles.percent}>, {percent}%</span>}
            </span>
          </div>
        ))}
      </div>
      <p className="visually-hidden" role="status">
        {run.step ? stepWord[run.step] : ''}
      </p>
    </>
  );
}
