import { useBackfillActions } from '~/api/connections/backfills';
import { useRuns } from '~/api/connections/runs';
import { ApiProblem } from '~/api/http/problem';
import type { ReloadRequest } from '~/api/types';
import { useAction } from '~/lib/use-action';
import { useOrganizationId } from '~/session/organization-context';
import { toast } from '~/components/feedback/toast';

/** A connection has at most one active reload. */
const isReloadActive = (error: unknown): error is ApiProblem => error instanceof ApiProblem && error.code === 'reload.active';

/** Loads days again. `rejection`: another reload is active. It belongs beside the button, other errors are toasts. */
export function useReload(connectionId: string) {
  const organizationId = useOrganizationId();
  const { reload } = useBackfillActions(organizationId, connectionId);
  const { mutate: refreshRuns } = useRuns(organizationId, connectionId);
  const onError = (problem: unknown) => void (isReloadActive(problem) ? refreshRuns() : toast.failed(problem));
  const { run, isBusy, busyWith, error } = useAction<'repair' | 'reload'>({ onError });
  return {
    isBusy,
    busyWith,
    rejection: isReloadActive(error) ? error : null,
    start: (days: ReloadRequest, done: string, name: 'repair' | 'reload' = 'repair') =>
      run(async () => {
        await reload(days);
        toast.done(done);
      }, name),
  };
}
