import { Link } from 'react-router-dom';
import { readDraft } from '~/api/connections/connection-draft';
import { readFlowState } from '~/domain/navigation/flow-state';
import { paths } from '~/domain/navigation/paths';
import { WIZARD_STEPS } from '~/domain/navigation/wizard-steps';
import { useOrganizationId } from '~/session/organization-context';
import styles from './FlowSteps.module.css';
import { StepBar } from './StepBar';

/** A step of the wizard with pages of its own, such as those of a sign-in. */
type FlowStep = 'source' | 'destination';

/** The wizard's steps on a page outside the wizard. Nothing unless a new connection led to it. */
export function FlowSteps({ current }: { current: FlowStep }) {
  const organizationId = useOrganizationId();
  if (readFlowState().storedFrom !== 'connection') return null;
  const isDone = (key: string) => key === 'source' && (readDraft(organizationId)?.sourceId ?? null) !== null;
  const steps = WIZARD_STEPS.map(({ key, label }) => ({
    key,
    label,
    to: paths.createConnection(organizationId, { step: key }),
    isDone: isDone(key),
  }));
  return <StepBar current={current} steps={steps} />;
}

/** The same with a way back, for pages without a header or a footer that have one. */
export function FlowStepsWithBack({ current }: { current: FlowStep }) {
  const organizationId = useOrganizationId();
  if (readFlowState().storedFrom !== 'connection') return null;
  return (
    <>
      <p className={styles.back}>
        <Link to={paths.createConnection(organizationId, { step: current })}>Back to the {current}s</Link>
      </p>
      <FlowSteps current={current} />
    </>
  );
}
