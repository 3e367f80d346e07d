import { Button } from '@mantine/core';
import { useNavigate } from 'react-router-dom';
import { useSWRConfig } from 'swr';
import { useCatalog } from '~/api/catalog';
import { createConnection } from '~/api/connections/connections';
import { useEstimate } from '~/api/connections/estimates';
import { useDestination } from '~/api/destinations';
import { useSource } from '~/api/sources';
import type { Estimate, EstimateQuestion } from '~/api/types';
import { keysOf } from '~/api/http/keys';
import { ApiProblem } from '~/api/http/problem';
import { readerTimeZone } from '~/lib/dates';
import { useAction } from '~/lib/use-action';
import { paths } from '~/domain/navigation/paths';
import { useSession } from '~/session/session-context';
import { useOrganizationId } from '~/session/organization-context';
import { ErrorNotice } from '~/components/feedback/ErrorNotice';
import { ErrorText } from '~/components/feedback/ErrorText';
import { toast } from '~/components/feedback/toast';
import { questionOf } from '~/features/create-connection/estimate-question';
import { Estimating, ReviewBody } from './ReviewBody';
import type { Draft } from '~/api/connections/connection-draft';
import type { StepProps } from '~/features/create-connection/step-props';
import { WizardFooter } from '~/ui/layout/WizardFooter';

const REJECTION_STATUSES = [400, 404, 409, 422];

/** The server rejects these settings. A retry does not help until they change. */
const isRejected = (error: unknown): boolean => error instanceof ApiProblem && REJECTION_STATUSES.includes(error.status);

/** Creates the connection and opens its page. */
function useCreation({ draft, onFinished }: Pick<StepProps, 'draft' | 'onFinished'>, question: EstimateQuestion | null) {
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const { mutate } = useSWRConfig();
  const { refreshOrganizations } = useSession();
  const { run, isBusy, error } = useAction({ leavesPage: true });
  const create = async (settings: EstimateQuestion) => {
    const connection = await createConnection(organizationId, {
      ...settings,
      name: draft.name.trim(),
      freshnessTarget: draft.freshnessTarget,
    });
    toast.state(`${connection.name} created, initial load started`, connection.id);
    await navigate(paths.connection(organizationId, connection.id));
    onFinished();
    void mutate(keysOf(organizationId, 'connections', 'sources', 'destinations'));
    void mutate(['organization', organizationId]);
    void refreshOrganizations();
  };
  return { create: () => void (question && run(() => create(question))), isBusy, error };
}

/** The selected source and destination, and the stream that the sample is from. */
function useSelection({ sourceId, destinationId }: Draft, sampleStream: string | undefined) {
  const organizationId = useOrganizationId();
  const { data: destination } = useDestination(organizationId, destinationId);
  const { data: source } = useSource(organizationId, sourceId ?? '');
  const { data: catalog } = useCatalog();
  const stream = catalog?.connectors
    .find(({ provider }) => provider === source?.provider)
    ?.streams.find(({ name }) => name === sampleStream);
  return { source, destination, stream };
}

function whyNotCreated(estimate: Estimate | undefined, error: unknown, isChecking: boolean): string | null {
  if (!estimate && error === undefined) return 'Estimating…';
  if (isChecking) return 'Checking again…';
  if (isRejected(error)) return 'These settings were rejected';
  return estimate?.checks.some(({ state }) => state === 'failed') ? 'A check failed' : null;
}

interface EstimateErrorProps {
  error: unknown;
  onRetry: () => void;
  onConfigure: () => void;
}

const EstimateError = ({ error, onRetry, onConfigure }: EstimateErrorProps) => (
  <ErrorNotice
    error={error}
    title="Couldn’t estimate usage"
    onRetry={onRetry}
    otherWay={
      isRejected(error) && (
        <Button variant="default" onClick={onConfigure}>
          Back to Configure
        </Button>
      )
    }
  />
);

export function ReviewStep({ draft, onChange, onGo, onFinished }: StepProps) {
  const question = questionOf(draft);
  const { data: estimate, error, mutate: retry, isValidating: isChecking } = useEstimate(useOrganizationId(), question);
  const selection = useSelection(draft, estimate?.sample.stream);
  const { create, isBusy, error: createError } = useCreation({ draft, onFinished }, question);
  const configure = () => onGo('configure');
  return (
    <>
      {createError !== null && <ErrorText error={createError} />}
      {error !== undefined && <EstimateError error={error} onRetry={() => void retry()} onConfigure={configure} />}
      {!estimate && error === undefined && <Estimating destination={selection.destination} />}
      {estimate && (
        <ReviewBody
          draft={draft}
          {...selection}
          estimate={estimate}
          isChecking={isChecking}
          onCheck={() => void retry()}
          onChange={configure}
          onSchedule={(everyMinutes) =>
            onChange({ schedule: { kind: 'interval', everyMinutes, timeZone: draft.schedule?.timeZone ?? readerTimeZone() } })
          }
        />
      )}
      <WizardFooter
        savedAt={draft.savedAt}
        onBack={configure}
        onNext={create}
        nextLabel="Create connection"
        isLast
        isBusy={isBusy}
        disabledReason={whyNotCreated(estimate, error, isChecking)}
      />
    </>
  );
}
