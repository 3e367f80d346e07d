import { useNavigate, useSearchParams } from 'react-router-dom';
import { useSWRConfig } from 'swr';
import type { AuthorizationAnswer } from '~/api/apps';
import { readDraft } from '~/api/connections/connection-draft';
import { createDestination } from '~/api/destinations';
import { DestinationForm } from '~/components/destination-form/DestinationForm';
import { ExpiredStep } from '~/components/sign-in/ExpiredStep';
import { keysOf } from '~/api/http/keys';
import { readFlowState, writeFlowState } from '~/domain/navigation/flow-state';
import { afterDestination } from '~/domain/navigation/flow-steps';
import { paths } from '~/domain/navigation/paths';
import { readStateHint } from '~/domain/navigation/sign-in-state';
import { useTitle } from '~/lib/use-title';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { Page, PageHeader } from '~/ui/layout/Page';
import { FlowSteps, FlowStepsWithBack } from '~/components/wizard/FlowSteps';
import { ProviderMark } from '~/components/status/ProviderMark';
import { toast } from '~/components/feedback/toast';
import { WizardFooter } from '~/ui/layout/WizardFooter';
import landing from '~/features/apps/landing/Landing.module.css';
import { HandedOver } from '~/features/apps/landing/LandingHead';
import { Progress } from '~/features/apps/landing/Progress';
import { SignInError } from '~/features/apps/landing/SignInError';
import { useCompletion, useReplacedAddress } from '~/features/apps/landing/use-completion';

/** Completes the sign-in after Google's redirect and continues the form with the new app. */
function SignedInAtGoogle({ answer }: { answer: AuthorizationAnswer }) {
  const organizationId = useOrganizationId();
  const { completion } = useCompletion(organizationId, answer);
  useReplacedAddress(completion, ({ app }) => ({ to: paths.bigquery({ app: app.id }), keepsResult: false }));
  return (
    <Page>
      <div className={landing.column}>
        <FlowStepsWithBack current="destination" />
        {completion.phase === 'handedOver' && <HandedOver provider="bigquery" />}
        {completion.phase === 'failed' && (
          <SignInError provider="bigquery" appId={readStateHint(answer.state).appId ?? undefined} error={completion.error} />
        )}
        {(completion.phase === 'working' || completion.phase === 'done') && <Progress provider="bigquery" />}
      </div>
    </Page>
  );
}

/** Form for a new BigQuery destination, as a step of the flow that opened it. */
function BigqueryStep({ appId }: { appId: string | null }) {
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const { mutate } = useSWRConfig();
  const disabledReason = usePermissionGate('destinations.write');
  const { storedFrom } = readFlowState();
  const isInWizard = storedFrom === 'connection';
  const back = isInWizard
    ? { label: 'Create connection', to: paths.createConnection(organizationId, { step: 'destination' }) }
    : { label: 'Destinations', to: paths.destinations(organizationId) };
  return (
    <Page width="form">
      <PageHeader title="Add BigQuery" parent={back} mark={<ProviderMark provider="bigquery" size="lg" />} />
      <FlowSteps current="destination" />
      <DestinationForm
        organizationId={organizationId}
        provider="bigquery"
        saved={null}
        appId={appId}
        from={storedFrom ?? 'app'}
        disabledReason={disabledReason}
        onSubmit={async (input, endGuard) => {
          const destination = await createDestination(organizationId, { provider: 'bigquery', ...input });
          await mutate(keysOf(organizationId, 'destinations', 'apps'));
          writeFlowState({ storedType: 'bigquery' });
          toast.done(`${destination.name} is ready`);
          endGuard();
          void navigate(afterDestination(organizationId, storedFrom, destination.id));
        }}
        footer={({ testButton, submit, running, waitsFor, problems }) => (
          <WizardFooter
            savedAt={isInWizard ? (readDraft(organizationId)?.savedAt ?? null) : null}
            onBack={() => void navigate(back.to)}
            secondary={testButton}
            onNext={submit}
            nextLabel={isInWizard ? 'Test and continue' : 'Add destination'}
            isLast={!isInWizard}
            isBusy={running === 'save'}
            isDisabled={running === 'test'}
            disabledReason={disabledReason ?? waitsFor}
            problems={problems}
          />
        )}
      />
    </Page>
  );
}

/** `/bigquery`: wizard step for a BigQuery destination and redirect target of its sign-in. Shows an error outside a flow. */
export default function BigqueryPage() {
  useTitle('BigQuery');
  const organizationId = useOrganizationId();
  const [parameters] = useSearchParams();
  const state = parameters.get('state');
  const appId = parameters.get('app');
  if (state !== null) {
    const answer = { state, code: parameters.get('code') ?? undefined, error: parameters.get('error') ?? undefined };
    return <SignedInAtGoogle answer={answer} />;
  }
  if (appId === null && readFlowState().storedFrom === null)
    return (
      <Page width="form">
        <PageHeader title="BigQuery" />
        <ExpiredStep organizationId={organizationId} />
      </Page>
    );
  return <BigqueryStep key={appId} appId={appId} />;
}
