import { useSubmission } from '~/api/custom-apps';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import { WithFacts } from '~/ui/layout/WithFacts';
import { RequestForm } from './RequestForm';
import { SubmittedRequest } from './SubmittedRequest';
import { Timeline } from './Timeline';

/** Form of a draft or the submitted request, with a timeline. */
export function RequestTab({ appId }: { appId: string }) {
  const { data, error, mutate } = useSubmission(useOrganizationId(), appId);
  const disabledReason = usePermissionGate('apps.write', 'change this');
  return (
    <LoadedContent
      data={data}
      error={error}
      reload={mutate}
      errorTitle="Couldn’t load the form"
      refreshError="nothing"
      skeleton={<TableSkeleton label="Loading the form" rows={5} widths={['30%', '60%']} />}
    >
      {(submission) => (
        <WithFacts facts={<Timeline submission={submission} />}>
          {submission.state === 'draft' ? (
            <RequestForm appId={appId} submission={submission} disabledReason={disabledReason} />
          ) : (
            <SubmittedRequest submission={submission} />
          )}
        </WithFacts>
      )}
    </LoadedContent>
  );
}
