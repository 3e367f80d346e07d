import { SegmentedControl, Select } from '@mantine/core';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useRuns } from '~/api/connections/runs';
import { useCoverage } from '~/api/connections/coverage';
import type { Connection, Coverage } from '~/api/types';
import { addDays, localDay } from '~/lib/dates';
import { formatCount } from '~/lib/numbers';
import { useNow } from '~/lib/use-now';
import { useOrganizationId } from '~/session/organization-context';
import { KeepHeight } from '~/ui/feedback/KeepHeight';
import { Loading, Skeleton } from '~/ui/feedback/Skeleton';
import { ErrorNotice } from '~/components/feedback/ErrorNotice';
import { providerName } from '~/components/status/ProviderMark';
import { CellDetails } from './CellDetails';
import { RANGES, shownRange } from './coverage-range';
import styles from './CoverageTab.module.css';
import { CoverageLegend } from './CoverageCell';
import { DestinationAudit } from './DestinationAudit';
import { Gaps } from './Gaps';
import { HeatGrid } from './HeatGrid';
import { choose } from './selection';
import type { SelectedCell, Selection } from './selection';
import { SelectionActions } from './SelectionActions';

/** Of the grid on a wide screen, in px. On a phone it is higher. */
const DATES_HEIGHT = 24;
const ACCOUNT_HEIGHT = 28;

const GridSkeleton = ({ accounts }: { accounts: number }) => (
  <Loading label="Loading coverage">
    <Skeleton width="100%" height={DATES_HEIGHT + accounts * ACCOUNT_HEIGHT} />
  </Loading>
);

/** Has the height of its line while it loads. */
function Summary({ coverage, destination }: { coverage: Coverage | undefined; destination: string }) {
  if (!coverage)
    return (
      <p className={styles.summary}>
        <Skeleton width={240} height={20} />
      </p>
    );
  const { expected, loaded, loading, toRepair } = coverage.summary;
  const rest = [loading > 0 && `${formatCount(loading)} loading`, toRepair > 0 && `${formatCount(toRepair)} to repair`].filter(
    Boolean,
  );
  return (
    <p className={styles.summary}>
      <strong>
        {formatCount(loaded)} of {formatCount(expected)}
      </strong>{' '}
      account-days in {destination}. {rest.length > 0 && `${rest.join(', ')}.`}
    </p>
  );
}

export function CoverageTab({ connection }: { connection: Connection }) {
  const organizationId = useOrganizationId();
  const [parameters, setParameters] = useSearchParams();
  const [selection, setSelection] = useState<Selection | null>(null);
  const recent = useRuns(organizationId, connection.id).data?.items ?? [];
  const now = useNow(300_000);
  const streams = connection.streams.filter((stream) => stream.isSelected).map((stream) => stream.name);
  const stream = streams.find((name) => name === parameters.get('stream')) ?? streams[0] ?? '';
  const range = shownRange(parameters.get('range'), connection.source.accounts.length);
  const to = localDay(now);
  const { data, error, mutate } = useCoverage(organizationId, connection.id, { stream, from: addDays(to, 1 - range.days), to });
  const isLoading = !data && error === undefined;
  const select = (cell: SelectedCell, isExtending = false) => setSelection((before) => choose(before, cell, isExtending));
  const chosen = selection?.chosen ?? null;
  const set = (key: string, value: string) => {
    setSelection(null);
    setParameters(
      (before) => {
        before.set(key, value);
        return before;
      },
      { replace: true },
    );
  };
  return (
    <>
      <div className={styles.tools}>
        <Select w={180} data={streams} value={stream} onChange={(name) => name && set('stream', name)} aria-label="Stream" />
        <SegmentedControl
          data={RANGES.map(({ value, label }) => ({ value, label }))}
          value={range.value}
          onChange={(value) => set('range', value)}
          aria-label="Range"
        />
        {(data ?? isLoading) && <Summary coverage={data} destination={providerName(connection.destination.provider)} />}
      </div>
      {range.limit !== null && <p className="label">{range.limit}</p>}
      <CoverageLegend />
      {error !== undefined && <ErrorNotice error={error} title="Couldn’t load coverage" onRetry={() => void mutate()} />}
      <KeepHeight isLoading={isLoading}>
        {isLoading && <GridSkeleton accounts={connection.source.accounts.length} />}
        {data && (
          <>
            <HeatGrid coverage={data} daysPerCell={range.daysPerCell} chosen={chosen} onChoose={select} runs={recent} />
            <div className={styles.under}>
              <Gaps coverage={data} connection={connection} runs={recent} onChoose={select} />
              <CellDetails chosen={chosen} coverage={data} runs={recent}>
                {(days) =>
                  chosen && <SelectionActions connection={connection} stream={data.stream} chosen={chosen} days={days} />
                }
              </CellDetails>
            </div>
          </>
        )}
      </KeepHeight>
      <DestinationAudit connection={connection} />
    </>
  );
}
