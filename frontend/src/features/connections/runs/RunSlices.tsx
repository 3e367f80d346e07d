import { Button } from '@mantine/core';
import {
  IconCircleCheck,
  IconCircleDashed,
  IconCircleMinus,
  IconCircleX,
  IconLoader2,
  IconShieldQuestion,
} from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import { useState } from 'react';
import type { RunSlice } from '~/api/types';
import type { Tone } from '~/domain/connections/connection-state';
import { formatDayRange, formatTime } from '~/lib/dates';
import { formatCount, formatPercent } from '~/lib/numbers';
import { useNow } from '~/lib/use-now';
import { Section } from '~/ui/layout/Page';
import { Status } from '~/components/status/Status';
import table from '~/ui/layout/Table.module.css';
import styles from './RunSlices.module.css';

const sliceTable: Record<RunSlice['state'], { word: string; tone: Tone; icon: Icon; rank: number }> = {
  failed: { word: 'Failed', tone: 'danger', icon: IconCircleX, rank: 0 },
  unverified: { word: 'Not verified yet', tone: 'warn', icon: IconShieldQuestion, rank: 1 },
  running: { word: 'Loading', tone: 'accent', icon: IconLoader2, rank: 2 },
  pending: { word: 'Waiting', tone: 'idle', icon: IconCircleDashed, rank: 3 },
  skipped: { word: 'Skipped', tone: 'idle', icon: IconCircleMinus, rank: 4 },
  done: { word: 'Loaded', tone: 'good', icon: IconCircleCheck, rank: 5 },
};

const FIRST_SHOWN = 12;

function countsText(slices: RunSlice[]): string {
  const count = (state: RunSlice['state']) => slices.filter((slice) => slice.state === state).length;
  const parts: [number, string][] = [
    [count('done'), 'loaded'],
    [count('running'), 'loading'],
    [count('pending'), 'waiting'],
    [count('unverified'), 'not verified yet'],
    [count('failed'), 'failed'],
    [count('skipped'), 'skipped'],
  ];
  return parts.flatMap(([number, word]) => (number > 0 ? [`${number} ${word}`] : [])).join(', ');
}

/** Share of the account's cost that the rows cover, for streams that list only part of the total. */
function shareText({ costMicros, totalCostMicros }: RunSlice): string | null {
  const total = Number(totalCostMicros ?? 0);
  return total > 0 ? `${formatPercent(Number(costMicros) / total)} of the account’s cost is listed` : null;
}

function Row({ slice }: { slice: RunSlice }) {
  const now = useNow();
  const { word, tone, icon } = sliceTable[slice.state];
  const days = formatDayRange(slice.from, slice.to, now);
  return (
    <tr>
      <td className={`mono ${styles.stream}`}>{slice.stream}</td>
      <td>
        {slice.accountName}
        <span className={styles.under}>
          {slice.stream}, {days}
        </span>
        {slice.state === 'done' && shareText(slice) && <span className={table.second}>{shareText(slice)}</span>}
        {slice.failure && <span className={table.second}>{slice.failure.message}</span>}
        {slice.resumeAt && <span className={table.second}>Retries at {formatTime(slice.resumeAt)}</span>}
      </td>
      <td className={styles.days}>{days}</td>
      <td>
        <Status icon={icon} tone={tone}>
          {word}
        </Status>
      </td>
      <td className={table.number}>{formatCount(slice.rows)}</td>
      <td className={table.number}>{slice.attempts}</td>
    </tr>
  );
}

interface RunSlicesProps {
  slices: RunSlice[];
  /** Total number of slices. The server lists the first 1,000. */
  total: number;
}

/** Slices of a run ("chunks" on screen), failed and unverified ones first. */
export function RunSlices({ slices, total }: RunSlicesProps) {
  const [showsAll, setShowsAll] = useState(false);
  const sorted = slices.toSorted((one, other) => sliceTable[one.state].rank - sliceTable[other.state].rank);
  return (
    <Section
      title="Chunks"
      aside={slices.length < total ? `${formatCount(slices.length)} of ${formatCount(total)} listed` : countsText(slices)}
    >
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col" className={styles.stream}>
              Stream
            </th>
            <th scope="col">Account</th>
            <th scope="col" className={styles.days}>
              Days
            </th>
            <th scope="col">State</th>
            <th scope="col" className={table.number}>
              Rows
            </th>
            <th scope="col" className={table.number}>
              Attempts
            </th>
          </tr>
        </thead>
        <tbody>
          {(showsAll ? sorted : sorted.slice(0, FIRST_SHOWN)).map((slice) => (
            <Row key={slice.id} slice={slice} />
          ))}
        </tbody>
      </table>
      {!showsAll && sorted.length > FIRST_SHOWN && (
        <Button size="xs" variant="subtle" mt={8} onClick={() => setShowsAll(true)}>
          Show all {sorted.length} chunks
        </Button>
      )}
    </Section>
  );
}
