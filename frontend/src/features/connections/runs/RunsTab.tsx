import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useOlderRuns, useRuns } from '~/api/connections/runs';
import type { Connection, RunSummary } from '~/api/types';
import { readerTimeZone } from '~/lib/dates';
import { useOrganizationId } from '~/session/organization-context';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import { LoadMoreButton } from '~/components/list/LoadMoreButton';
import { RunCard } from './RunCard';
import { RunsTable } from './RunsTable';
import styles from './RunsTab.module.css';

const FILTERS = [
  { value: 'all', label: 'All' },
  { value: 'partial', label: 'Partial' },
  { value: 'failed', label: 'Failed' },
  { value: 'succeeded', label: 'Verified' },
];

const passes = (run: RunSummary, filter: string): boolean =>
  filter === 'all' || run.state === filter || (filter === 'partial' && run.state === 'unverified');

export function RunsTab({ connection }: { connection: Connection }) {
  const organizationId = useOrganizationId();
  const [filter, setFilter] = useState('all');
  const { data, error, mutate } = useRuns(organizationId, connection.id);
  const { items: runs, pages, hasMore } = useOlderRuns(organizationId, connection.id, data);
  const shown = runs.filter((run) => passes(run, filter));
  return (
    <>
      <RunCard connection={connection} />
      <div className={styles.tools}>
        <SegmentedControl data={FILTERS} value={filter} onChange={setFilter} aria-label="State" />
        <span className="label">Times in {readerTimeZone()}</span>
      </div>
      <LoadedContent
        data={data}
        error={error}
        reload={mutate}
        errorTitle="Couldn’t refresh runs"
        refreshError="notice with age"
        skeleton={<TableSkeleton label="Loading runs" rows={6} widths={[60, 80, 80, 140, 70, 60]} />}
        isEmpty={() => shown.length === 0}
        empty={<p className={styles.none}>{filter === 'all' ? 'No runs yet.' : 'No runs with this state.'}</p>}
      >
        {() => <RunsTable runs={shown} connectionId={connection.id} />}
      </LoadedContent>
      <LoadMoreButton pages={pages} hasMore={hasMore} label="Show older runs" />
    </>
  );
}
