import { IconCheck } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { paths } from '~/domain/navigation/paths';
import type { WizardStep } from '~/domain/navigation/paths';
import { useOrganizationId } from '~/session/organization-context';
import type { Draft } from '~/api/connections/connection-draft';
import styles from './StepBar.module.css';
import { isStepDone, STEPS } from './steps';

/** Current step of the wizard. Completed steps are links. */
export function StepBar({ draft, current }: { draft: Draft; current: WizardStep }) {
  const organizationId = useOrganizationId();
  const currentIndex = STEPS.findIndex(({ key }) => key === current);
  return (
    <ol className={styles.steps} aria-label="Steps">
      {STEPS.map(({ key, label }, index) => {
        const isDone = index < currentIndex && isStepDone(key, draft);
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
              <Link
                to={paths.createConnection(organizationId, { step: key })}
                className={styles.step}
                aria-label={`${label}, done`}
              >
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
