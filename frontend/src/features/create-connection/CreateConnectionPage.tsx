import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { writeFlowState } from '~/domain/navigation/flow-state';
import { paths } from '~/domain/navigation/paths';
import type { WizardStep } from '~/domain/navigation/paths';
import { WIZARD_STEPS } from '~/domain/navigation/wizard-steps';
import { useTitle } from '~/lib/use-title';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { Page, PageHeader } from '~/ui/layout/Page';
import type { Draft } from '~/api/connections/connection-draft';
import { StepBar } from '~/components/wizard/StepBar';
import type { BarStep } from '~/components/wizard/StepBar';
import { RoleNotice } from '~/components/feedback/RoleNotice';
import { UnfinishedDraft } from '~/components/wizard/UnfinishedDraft';
import { toast } from '~/components/feedback/toast';
import { ConfigureStep } from './ConfigureStep';
import { DestinationStep } from './DestinationStep';
import { ReviewStep } from './review/ReviewStep';
import { SourceStep } from './SourceStep';
import { firstOpenStep, isStepDone, stepToShow } from './steps';
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
    if (newDestinationId) change({ destinationId: newDestinationId, newProvider: null, newDestinations: {} });
  }, [newDestinationId, change]);
  // On this page, the draft gets what the URL names after the first render.
  const { sourceId, destinationId } = state.draft;
  const hasApplied = (newSourceId ?? sourceId) === sourceId && (newDestinationId ?? destinationId) === destinationId;
  return { ...state, hasApplied, hasCreated: newSourceId !== null || newDestinationId !== null };
}

/** Only the URL changes the step, so that Back leads through the steps and a choice does not leave its step. */
function useStepInUrl(organizationId: string, shown: string | null, requested: string | null): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (shown !== requested)
      void navigate(paths.createConnection(organizationId, { step: shown as WizardStep }), { replace: true });
  }, [navigate, organizationId, shown, requested]);
}

const barSteps = (organizationId: string, draft: Draft): BarStep[] =>
  WIZARD_STEPS.map(({ key, label }) => ({
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
  const state = useDraftWithCreated(organizationId, parameters);
  const { draft, leftAt, hasCreated } = state;
  const requested = parameters.get('step');
  const hasUnfinishedDraft = leftAt !== null && requested === null && !hasCreated;
  const resumed = firstOpenStep(draft);
  const step = hasUnfinishedDraft ? resumed : stepToShow(requested, draft);
  const go = (next: WizardStep) => void navigate(paths.createConnection(organizationId, { step: next }));
  useStepInUrl(organizationId, hasUnfinishedDraft || !state.hasApplied ? requested : step, requested);
  useEffect(() => writeFlowState({ storedFrom: 'connection' }), []);
  const Step = contents[step];
  const startOver = () => {
    const discarded = draft;
    state.discard();
    go('source');
    toast.done('Draft discarded', {
      label: 'Undo',
      onClick: () => {
        state.restore(discarded);
        go(firstOpenStep(discarded));
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
        <RoleNotice reason={disabledReason} back={{ label: 'Back to connections', to: paths.connections(organizationId) }}>
          Your role can view connections, but not create them.
        </RoleNotice>
      ) : hasUnfinishedDraft ? (
        <UnfinishedDraft
          name={draft.name}
          leftAt={leftAt}
          stepLabel={WIZARD_STEPS.find(({ key }) => key === resumed)?.label ?? ''}
          onResume={() => go(resumed)}
          startOver={startOverButton}
        />
      ) : (
        <Step draft={draft} onChange={state.change} onGo={go} onFinished={state.finish} />
      )}
    </Page>
  );
}
