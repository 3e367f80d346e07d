import { Link } from 'react-router-dom';
import type { ApiProblem } from '~/api/http/problem';
import { useRuns } from '~/api/connections/runs';
import { runTable } from '~/domain/connections/connection-state';
import { paths } from '~/domain/navigation/paths';
import { useOrganizationId } from '~/session/organization-context';

interface ReloadRejectionProps {
  rejection: ApiProblem | null;
  connectionId: string;
}

/** Why the repair did not start, beside its button, with the run to wait for. Disappears when that run has ended. */
export function ReloadRejection({ rejection, connectionId }: ReloadRejectionProps) {
  const organizationId = useOrganizationId();
  const { data: runs, isValidating } = useRuns(organizationId, connectionId);
  const active = runs?.items.find(({ kind, state }) => kind === 'repair' && runTable[state].isActive);
  if (rejection === null || (runs && !active && !isValidating)) return null;
  return (
    <span className="label" role="alert">
      {rejection.message}{' '}
      <Link to={paths.connection(organizationId, connectionId, { tab: 'runs', run: active?.id ?? null })}>
        View the active run
      </Link>
    </span>
  );
}
