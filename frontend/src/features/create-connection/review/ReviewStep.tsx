import { Button } from '@mantine/core';
import { useNavigate } from 'react-router-dom';
import { useSWRConfig } from 'swr';
import { toLeftOutBody } from '~/components/stream-table/excluded-columns';
import { useCatalog } from '~/api/apps';
import { createConnection, useEstimate } from '~/api/connections/connections';
import { useDestination } from '~/api/destinations';
import { useSource } from '~/api/sources';
import type { EstimateQuestion } from '~/api/types';
import { keysOf } from '~/api/http/keys';
import { ApiProblem } from '~/api/http/problem';
import { readerTimeZone } from '~/lib/dates';
import { useAction } from '~/lib/use-action';
import { paths } from '~/domain/navigation/paths';
import { useSession } from '~/session/session-context';
import { useOrganizationId } from '~/session/organization-context';
import { ErrorNotice, ErrorText } from '~/components/feedback/ErrorNotice';
import { toast } from '~/components/feedback/toast';
import type { Draft } from '~/api/connections/connection-draft';
import { Estimating, ReviewBody } from './ReviewBody';
import type { StepProps } from '~/features/create-connection/step-props';
import { WizardFooter } from '~/ui/layout/WizardFooter';

function questionOf({
  sourceId,
  destinationId,
  streams,
  leftOut,
  schedule,
  historyFrom,
  lookbackDays,
}: Draft): EstimateQuestion | null {
  if (!sourceId || !destinationId || !streams || !schedule || !historyFrom) return null;
  return { sourceId, destinationId, streams, leftOut: toLeftOutBody(leftOut, streams), schedule, historyFrom, lookbackDays };
}

const REJECTION_STATUSES = [400, 404, 409, 422];

/** The server rejects these settings. A retry does not help until they change. */
const isRejected = (error: unknown): boolean => error instanceof ApiProblem && REJECTION_STATUSES.includes(error.status);

export function ReviewStep({ draft, onChange, onGo, onFinished }: StepProps) {
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const { mutate } = useSWRConfig();
  const { refreshOrganizations } = useSession();
  const question = questionOf(draft);
  const { data: estimate, error, mutate: retry } = useEstimate(organizationId, question);
  const { data: destination } = useDestination(organizationId, draft.destinationId);
  const { data: source } = useSource(organizationId, draft.sourceId ?? '');
  const { data: catalog } = useCatalog();
  const stream = catalog?.connectors
    .find(({ provider }) => provider === source?.provider)
    ?.streams.find(({ name }) => name === estimate?.sample.stream);
  const { run, isBusy, error: createError } = useAction({ leavesPage: true });
  const failed = estimate?.checks.some(({ state }) => state === 'failed') ?? false;
  const isUnknown = !estimate && error === undefined;
  const disabledReason = isRejected(error)
    ? 'These settings were rejected'
    : failed
      ? 'A check failed'
      : isUnknown
        ? 'Estimating…'
        : null;
  const create = async () => {
    if (!question) return;
    const connection = await createConnection(organizationId, { ...question, name: draft.name.trim() });
    toast.done(`${connection.name} created, initial load started`);
    await navigate(paths.connection(organizationId, connection.id));
    onFinished();
    void mutate(keysOf(organizationId, 'connections', 'sources', 'destinations'));
    void mutate(['organization', organizationId]);
    void refreshOrganizations();
  };
  return (
    <>
      {createError !== null && <ErrorText error={createError} />}
      {error !== undefined && (
        <ErrorNotice
          error={error}
          title="Couldn’t estimate usage"
          onRetry={() => void retry()}
          otherWay={
            isRejected(error) && (
              <Button variant="default" onClick={() => onGo('configure')}>
                Back to Configure
              </Button>
            )
          }
        />
      )}
      {isUnknown && <Estimating />}
      {estimate && (
        <ReviewBody
          draft={draft}
          source={source}
          destination={destination}
          stream={stream}
          estimate={estimate}
          onChange={() => onGo('configure')}
          onSchedule={(everyMinutes) =>
            onChange({ schedule: { kind: 'interval', everyMinutes, timeZone: draft.schedule?.timeZone ?? readerTimeZone() } })
          }
        />
      )}
      <WizardFooter
        savedAt={draft.savedAt}
        onBack={() => onGo('configure')}
        onNext={() => void run(create)}
        nextLabel="Create connection"
        isLast
        isBusy={isBusy}
        disabledReason={disabledReason}
      />
    </>
  );
}
