import { useElementSize } from '@mantine/hooks';
import { useState } from 'react';
import type { Usage } from '~/api/types';
import { formatDay } from '~/lib/dates';
import { formatCount, plural } from '~/lib/numbers';
import { useNow } from '~/lib/use-now';
import { Skeleton, Loading } from '~/ui/feedback/Skeleton';
import { BarChart } from '~/ui/data/Chart';
import { DayDetails } from '~/ui/data/DayDetails';
import { Section } from '~/ui/layout/Page';
import table from '~/ui/layout/Table.module.css';
import { summaryOfRows } from './summary-of-rows';
import styles from './Usage.module.css';

type Days = Usage['rowsByDay'];

const HEIGHT = 200;

function Chart({ days }: { days: Days }) {
  const now = useNow();
  const { ref, width } = useElementSize();
  const [hoveredDate, setHoveredDate] = useState<string | null>(null);
  const day = days.find(({ date }) => date === hoveredDate);
  const bars = days.map(({ date, rows }) => ({ date, rows, provisionalRows: 0 }));
  return (
    <div ref={ref}>
      <DayDetails>{day && `${formatDay(day.date, now)}: ${plural(day.rows, 'row')}`}</DayDetails>
      <BarChart days={bars} width={width} height={HEIGHT} hoveredDate={hoveredDate} onHover={setHoveredDate} />
    </div>
  );
}

function DataTable({ days }: { days: Days }) {
  const now = useNow();
  return (
    <div className={styles.tableFrame} tabIndex={0} role="region" aria-label="Rows per day, as a table">
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col" className={table.number}>
              Rows
            </th>
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map(({ date, rows }) => (
            <tr key={date}>
              <td>{formatDay(date, now)}</td>
              <td className={table.number}>{formatCount(rows)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function RowsByDay({ days }: { days: Days | undefined }) {
  const now = useNow();
  const [isTable, setTable] = useState(false);
  const isEmpty = days?.every(({ rows }) => rows === 0) ?? false;
  return (
    <Section title="Rows loaded per day" aside={days && 'Last 30 days'}>
      {!days && (
        <Loading label="Loading days">
          <Skeleton width="100%" height={HEIGHT} radius={6} />
        </Loading>
      )}
      {isEmpty && <p className="quiet">No rows in the last 30 days.</p>}
      {days && !isEmpty && (
        <>
          {isTable ? <DataTable days={days} /> : <Chart days={days} />}
          <p className="visually-hidden">{summaryOfRows(days, now)}</p>
          <button type="button" className={styles.toggle} onClick={() => setTable(!isTable)}>
            {isTable ? 'Show as chart' : 'Show as table'}
          </button>
        </>
      )}
    </Section>
  );
}
