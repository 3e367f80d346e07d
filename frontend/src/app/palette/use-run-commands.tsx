import { useDebouncedValue } from '@mantine/hooks';
import { IconHistory } from '@tabler/icons-react';
import { useLatestRuns, useRun } from '~/api/connections/runs';
import type { Connection, RunSummary } from '~/api/types';
import { RunStatus } from '~/components/status/Status';
import { paths } from '~/domain/navigation/paths';
import { formatPast } from '~/lib/relative-time';
import { useNow } from '~/lib/use-now';
import { useOrganizationId } from '~/session/organization-context';
import { icon } from '~/ui/icon';
import type { Command } from './command';
import { runQuestionOf } from './find-runs';
import type { RunQuestion } from './find-runs';

/** Typing the name of a connection sends one request. */
const PAUSE_MS = 200;

const newestFirst = (a: RunSummary, b: RunSummary): number => b.queuedAt.localeCompare(a.queuedAt);

/** The connections that are loaded already contain their last run, so only other runs are requested. */
function useFoundRuns(question: RunQuestion | null, connections: Connection[]): { runs: RunSummary[]; isLoading: boolean } {
  const organizationId = useOrganizationId();
  const runId = question !== null && 'runId' in question ? question.runId : null;
  const connectionId = question !== null && 'connectionId' in question ? question.connectionId : null;
  const one = useRun(organizationId, runId);
  const several = useLatestRuns(organizationId, connectionId);
  if (question === null) return { runs: [], isLoading: false };
  if (runId !== null) return { runs: one.data ? [one.data] : [], isLoading: one.isLoading };
  if (connectionId !== null) return { runs: several.data?.items ?? [], isLoading: several.isLoading };
  return { runs: connections.flatMap(({ lastRun }) => lastRun ?? []).toSorted(newestFirst), isLoading: false };
}

/** The runs that the query asks for. Each opens its drawer. */
export function useRunCommands(query: string, connections: Connection[]): { commands: Command[]; isLoading: boolean } {
  const organizationId = useOrganizationId();
  const now = useNow();
  const [typed] = useDebouncedValue(query, PAUSE_MS);
  const question = runQuestionOf(typed, connections);
  const { runs, isLoading } = useFoundRuns(question, connections);
  const commands = runs.map((run): Command => {
    const name = connections.find(({ id }) => id === run.connectionId)?.name;
    return {
      id: `opens-run:${run.id}`,
      group: 'Runs',
      label: name === undefined ? 'Run' : `Run of ${name}`,
      keywords: `runs latest last now ${run.id}`,
      mark: <IconHistory {...icon} />,
      hint: formatPast(run.startedAt ?? run.queuedAt, now),
      aside: <RunStatus state={run.state} isStuck={run.isStuck} />,
      isOnlyFound: true,
      to: paths.connection(organizationId, run.connectionId, { tab: 'runs', run: run.id }),
    };
  });
  return { commands, isLoading: isLoading || (typed !== query && runQuestionOf(query, connections) !== null) };
}
