import { SegmentedControl } from '@mantine/core';
import { useSearchParams } from 'react-router-dom';
import { useOlderRuns, useRunsInState } from '~/api/connections/run-list';
import type { Connection } from '~/api/types';
import { readerTimeZone } from '~/lib/dates';
import { useOrganizationId } from '~/session/organization-context';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import { LoadMoreButton } from '~/components/list/LoadMoreButton';
import { RunCard } from './RunCard';
import { runFilters, runStateFrom } from './run-filter';
import { RunsTable } from './RunsTable';
import styles from './RunsTab.module.css';

export function RunsTab({ connection }: { connection: Connection }) {
  const organizationId = useOrganizationId();
  const [parameters, setParameters] = useSearchParams();
  const state = runStateFrom(parameters);
  const { data, error, mutate } = useRunsInState(organizationId, connection.id, state);
  const { items: runs, pages, hasMore } = useOlderRuns(organizationId, connection.id, state, data);
  const filter = (chosen: string) =>
    setParameters(
      (before) => {
        if (chosen === 'all') before.delete('state');
        else before.set('state', chosen);
        return before;
      },
      { replace: true },
    );
  return (
    <>
      <RunCard connection={connection} />
      <div className={styles.tools}>
        <SegmentedControl data={runFilters} value={state ?? 'all'} onChange={filter} aria-label="State" />
        <span className="label">Times in {readerTimeZone()}</span>
      </div>
      <LoadedContent
        data={data}
        error={error}
        reload={mutate}
        errorTitle="Couldn’t refresh runs"
        refreshError="notice with age"
        skeleton={<TableSkeleton label="Loading runs" rows={6} widths={[60, 80, 80, 140, 70, 60]} />}
        isEmpty={() => runs.length === 0}
        empty={<p className={styles.none}>{state === null ? 'No runs yet.' : 'No runs with this state.'}</p>}
      >
        {() => <RunsTable runs={runs} />}
      </LoadedContent>
      <LoadMoreButton pages={pages} hasMore={hasMore} label="Show older runs" />
    </>
  );
}
