import { IconCheck } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import styles from './StepBar.module.css';

export interface BarStep {
  key: string;
  label: string;
  to: string;
  isDone: boolean;
}

/** Current step of a wizard. Completed steps before it are links. */
export function StepBar({ steps, current }: { steps: BarStep[]; current: string }) {
  const currentIndex = steps.findIndex(({ key }) => key === current);
  return (
    <ol className={styles.steps} aria-label="Steps">
      {steps.map(({ key, label, to, ...step }, index) => {
        const isDone = index < currentIndex && step.isDone;
        const state = key === current ? 'current' : isDone ? 'done' : 'open';
        const content = (
          <>
            <span className={styles.number}>{isDone ? <IconCheck size={14} stroke={2} aria-hidden /> : index + 1}</span>
            <span className={styles.label}>{label}</span>
          </>
        );
        return (
          <li key={key} data-state={state} aria-current={state === 'current' ? 'step' : undefined}>
            {isDone ? (
              <Link to={to} className={styles.step} aria-label={`${label}, done`}>
                {content}
              </Link>
            ) : (
              <span className={styles.step}>{content}</span>
            )}
          </li>
        );
      })}
    </ol>
  );
}
