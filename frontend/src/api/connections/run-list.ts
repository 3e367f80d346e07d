import useSWR from 'swr';
import { keys } from '~/api/http/keys';
import { useOlderPages } from '~/api/http/use-older-pages';
import type { RunPage } from '~/api/types';
import type { RunState } from '~/domain/connections/connection-state';
import { listRuns, useRuns } from './runs';

/** States by which runs are filtered. A run that has ended keeps its state. */
export type EndedRunState = Extract<RunState, 'failed' | 'partial' | 'unverified' | 'succeeded'>;

/** The newest runs in this state; null: in any state. */
export function useRunsInState(organizationId: string, connectionId: string, state: EndedRunState | null) {
  const all = useRuns(organizationId, connectionId);
  const inState = useSWR(state === null ? null : keys.runsInState(organizationId, connectionId, state), ([, , , requested]) =>
    listRuns(organizationId, connectionId, { state: requested }),
  );
  return state === null ? all : inState;
}

/** All loaded runs. `useRunsInState` refreshes the first page. */
export const useOlderRuns = (
  organizationId: string,
  connectionId: string,
  state: EndedRunState | null,
  first: RunPage | undefined,
) =>
  useOlderPages({
    key: ['older-runs', organizationId, connectionId, state],
    first,
    load: (cursor) => listRuns(organizationId, connectionId, { state: state ?? undefined, cursor }),
    idOf: ({ id }) => id,
  });
