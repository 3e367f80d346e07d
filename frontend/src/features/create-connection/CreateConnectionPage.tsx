import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { writeFlowState } from '~/domain/navigation/flow-state';
import { paths } from '~/domain/navigation/paths';
import type { WizardStep } from '~/domain/navigation/paths';
import { useTitle } from '~/lib/use-title';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { Notice } from '~/ui/feedback/Notice';
import { Page, PageHeader } from '~/ui/layout/Page';
import type { Draft } from '~/api/connections/connection-draft';
import { StepBar } from '~/components/wizard/StepBar';
import type { BarStep } from '~/components/wizard/StepBar';
import { UnfinishedDraft } from '~/components/wizard/UnfinishedDraft';
import { toast } from '~/components/feedback/toast';
import { ConfigureStep } from './ConfigureStep';
import { DestinationStep } from './DestinationStep';
import { ReviewStep } from './review/ReviewStep';
import { SourceStep } from './SourceStep';
import { isStepDone, STEPS, stepToShow } from './steps';
import { useDraft } from './use-draft';

const contents = { source: SourceStep, destination: DestinationStep, configure: ConfigureStep, review: ReviewStep };

/** The draft, with the source or destination that was just created; its id is in the URL. */
function useDraftWithCreated(organizationId: string, parameters: URLSearchParams) {
  const newSourceId = parameters.get('source');
  const newDestinationId = parameters.get('destination');
  const state = useDraft(organizationId, { sourceId: newSourceId, destinationId: newDestinationId });
  const { change } = state;
  useEffect(() => {
    if (newSourceId) change({ sourceId: newSourceId });
  }, [newSourceId, change]);
  useEffect(() => {
    if (newDestinationId) change({ destinationId: newDestinationId });
  }, [newDestinationId, change]);
  return { ...state, hasCreated: newSourceId !== null || newDestinationId !== null };
}

const barSteps = (organizationId: string, draft: Draft): BarStep[] =>
  STEPS.map(({ key, label }) => ({
    key,
    label,
    to: paths.createConnection(organizationId, { step: key }),
    isDone: isStepDone(key, draft),
  }));

export default function CreateConnectionPage() {
  useTitle('Create connection');
  const organizationId = useOrganizationId();
  const [parameters] = useSearchParams();
  const navigate = useNavigate();
  const disabledReason = usePermissionGate('connections.write');
  const { draft, change, discard, restore, leftAt, hasCreated } = useDraftWithCreated(organizationId, parameters);
  const step = stepToShow(parameters.get('step'), draft);
  const go = (next: WizardStep) => void navigate(paths.createConnection(organizationId, { step: next }));
  useEffect(() => writeFlowState({ storedFrom: 'connection' }), []);
  const Step = contents[step];
  const hasUnfinishedDraft = leftAt !== null && parameters.get('step') === null && !hasCreated;
  const startOver = () => {
    const discarded = draft;
    discard();
    go('source');
    toast.done('Draft discarded', {
      label: 'Undo',
      onClick: () => {
        restore(discarded);
        go(stepToShow(null, discarded));
      },
    });
  };
  const startOverButton = (
    <Button variant="default" onClick={startOver}>
      Start over
    </Button>
  );
  return (
    <Page width="form">
      <PageHeader
        title="Create connection"
        parent={{ label: 'Connections', to: paths.connections(organizationId) }}
        actions={draft.savedAt !== null && disabledReason === null && !hasUnfinishedDraft && startOverButton}
      />
      <StepBar current={step} steps={barSteps(organizationId, draft)} />
      {disabledReason !== null ? (
        <Notice tone="warn" title={disabledReason}>
          Creating a connection requires the Editor role.
        </Notice>
      ) : hasUnfinishedDraft ? (
        <UnfinishedDraft
          name={draft.name}
          leftAt={leftAt}
          stepLabel={STEPS.find(({ key }) => key === step)?.label ?? ''}
          onResume={() => go(step)}
          startOver={startOverButton}
        />
      ) : (
        <Step draft={draft} onChange={change} onGo={go} onFinished={discard} />
      )}
    </Page>
  );
}
