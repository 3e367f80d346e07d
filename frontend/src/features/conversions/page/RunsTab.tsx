import { IconCircleCheck, IconCircleHalf2, IconCircleX, IconHourglass, IconLoader2 } from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import { useConversionRuns, useOlderConversionRuns } from '~/api/conversions/conversions';
import type { Conversion, ConversionRun } from '~/api/types';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import { LoadMoreButton } from '~/components/list/LoadMoreButton';
import { Status } from '~/components/status/Status';
import type { Tone } from '~/domain/connections/connection-state';
import { formatMoment } from '~/lib/dates';
import { formatDuration, millisecondsBetween } from '~/lib/durations';
import { formatCount } from '~/lib/numbers';
import { useNow } from '~/lib/use-now';
import { useOrganizationId } from '~/session/organization-context';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import table from '~/ui/layout/Table.module.css';
import { LiveConversionRun } from './LiveConversionRun';
import styles from './Overview.module.css';

const runTable: Record<ConversionRun['state'], { word: string; tone: Tone; icon: Icon }> = {
  running: { word: 'Running', tone: 'accent', icon: IconLoader2 },
  waiting: { word: 'Waiting', tone: 'accent', icon: IconHourglass },
  succeeded: { word: 'Succeeded', tone: 'good', icon: IconCircleCheck },
  partial: { word: 'Partial', tone: 'warn', icon: IconCircleHalf2 },
  failed: { word: 'Failed', tone: 'danger', icon: IconCircleX },
};

function Row({ run }: { run: ConversionRun }) {
  const now = useNow();
  const { word, tone, icon } = runTable[run.state];
  const tookMs = millisecondsBetween(run.startedAt, run.endedAt, now);
  return (
    <tr>
      <td>
        {formatMoment(run.startedAt, now)}
        <span className={table.second}>{tookMs === null ? '' : formatDuration(Math.max(0, tookMs))}</span>
      </td>
      <td>
        <Status icon={icon} tone={tone}>
          {word}
        </Status>
        {run.failure && <span className={table.second}>{run.failure.message}</span>}
      </td>
      <td className={`${table.number} ${styles.narrow}`}>{formatCount(run.recordsRead)}</td>
      <td className={`${table.number} ${styles.narrow}`}>{formatCount(run.eventsNew)}</td>
      <td className={table.number}>{formatCount(run.eventsSent)}</td>
      <td className={table.number}>{formatCount(run.eventsAccepted)}</td>
      <td className={table.number}>{formatCount(run.eventsRejected)}</td>
    </tr>
  );
}

const RunsTable = ({ runs }: { runs: ConversionRun[] }) => (
  <table className={table.table} data-rows="two">
    <thead>
      <tr>
        <th scope="col">Started</th>
        <th scope="col">State</th>
        <th scope="col" className={`${table.number} ${styles.narrow}`}>
          Read
        </th>
        <th scope="col" className={`${table.number} ${styles.narrow}`}>
          New
        </th>
        {['Sent', 'Accepted', 'Rejected'].map((label) => (
          <th key={label} scope="col" className={table.number}>
            {label}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {runs.map((run) => (
        <Row key={run.id} run={run} />
      ))}
    </tbody>
  </table>
);

export function RunsTab({ conversion }: { conversion: Conversion }) {
  const organizationId = useOrganizationId();
  const { data, error, mutate } = useConversionRuns(organizationId, conversion.id);
  const { items: runs, pages, hasMore } = useOlderConversionRuns(organizationId, conversion.id, data);
  return (
    <>
      <LiveConversionRun conversionId={conversion.id} />
      <LoadedContent
        data={data}
        error={error}
        reload={mutate}
        errorTitle="Couldn’t load runs"
        refreshError="notice with age"
        skeleton={<TableSkeleton label="Loading runs" rows={6} widths={[100, 80, 60, 60, 60]} />}
        isEmpty={() => runs.length === 0}
        empty={<p className="quiet">No runs yet.</p>}
      >
        {() => <RunsTable runs={runs} />}
      </LoadedContent>
      <LoadMoreButton pages={pages} hasMore={hasMore} label="Show older runs" />
    </>
  );
}
