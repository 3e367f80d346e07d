import { Button } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { StepBar } from '~/components/wizard/StepBar';
import { UnfinishedDraft } from '~/components/wizard/UnfinishedDraft';
import { toast } from '~/components/feedback/toast';
import { writeFlowState } from '~/domain/navigation/flow-state';
import { paths } from '~/domain/navigation/paths';
import type { ConversionStep } from '~/domain/navigation/paths';
import { RoleNotice } from '~/components/feedback/RoleNotice';
import { useTitle } from '~/lib/use-title';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { Page, PageHeader } from '~/ui/layout/Page';
import { ActivateStep } from './ActivateStep';
import { DestinationStep } from './DestinationStep';
import { PreviewStep } from './PreviewStep';
import { ConsentStep, IdentifiersStep } from './RulesSteps';
import { SourceStep } from './SourceStep';
import { isStepDone, STEPS, stepToShow } from './steps';
import { useConversionDraft } from './use-conversion-draft';

const contents = {
  source: SourceStep,
  destination: DestinationStep,
  identifiers: IdentifiersStep,
  consent: ConsentStep,
  preview: PreviewStep,
  activate: ActivateStep,
};

/** The draft, the current step of the URL, and a function that discards the draft. */
function useWizard() {
  const organizationId = useOrganizationId();
  const [parameters] = useSearchParams();
  const navigate = useNavigate();
  const state = useConversionDraft(organizationId);
  const { draft, change, discard, leftAt } = state;
  const picked = parameters.get('destination');
  // Back and a reload open the address again: what was chosen in this app stays.
  const pick = useEffectEvent((appId: string) => {
    if (appId !== draft.appId) change({ appId, accountId: null, target: null, traits: null });
  });
  useEffect(() => {
    if (picked !== null) pick(picked);
  }, [picked]);
  // Without a step in the URL, the wizard stays at the step where it was opened, also when this step becomes complete.
  const [firstStep] = useState(() => stepToShow(null, draft));
  const step = stepToShow(parameters.get('step') ?? firstStep, draft);
  const go = (next: ConversionStep) => void navigate(paths.createConversion(organizationId, { step: next }));
  const startOver = () => {
    const discarded = draft;
    discard();
    go('source');
    toast.done('Draft discarded', {
      label: 'Undo',
      onClick: () => {
        change(discarded);
        go(stepToShow(null, discarded));
      },
    });
  };
  const hasCreated = parameters.has('source') || parameters.has('destination');
  const isUnfinished = leftAt !== null && parameters.get('step') === null && !hasCreated;
  return { ...state, step, go, startOver, isUnfinished };
}

export default function CreateConversionPage() {
  useTitle('Create conversion');
  const organizationId = useOrganizationId();
  const disabledReason = usePermissionGate('conversions.write');
  const { draft, change, discard, leftAt, step, go, startOver, isUnfinished } = useWizard();
  useEffect(() => writeFlowState({ storedFrom: 'conversion' }), []);
  const Step = contents[step];
  const startOverButton = (
    <Button variant="default" onClick={startOver}>
      Start over
    </Button>
  );
  const label = STEPS.find(({ key }) => key === step)?.label ?? '';
  return (
    <Page width="form">
      <PageHeader
        title="Create conversion"
        parent={{ label: 'Conversions', to: paths.conversions(organizationId) }}
        actions={draft.savedAt !== null && disabledReason === null && !isUnfinished && startOverButton}
      />
      <StepBar
        current={step}
        steps={STEPS.map(({ key, label: text }) => ({
          key,
          label: text,
          to: paths.createConversion(organizationId, { step: key }),
          isDone: isStepDone(key, draft),
        }))}
      />
      {disabledReason !== null ? (
        <RoleNotice reason={disabledReason} back={{ label: 'Back to conversions', to: paths.conversions(organizationId) }}>
          Your role can view conversions, but not create them.
        </RoleNotice>
      ) : isUnfinished && leftAt !== null ? (
        <UnfinishedDraft
          name={draft.name || (draft.source?.name ?? '')}
          leftAt={leftAt}
          stepLabel={label}
          onResume={() => go(step)}
          startOver={startOverButton}
        />
      ) : (
        <Step draft={draft} onChange={change} onGo={go} onFinished={discard} />
      )}
    </Page>
  );
}
