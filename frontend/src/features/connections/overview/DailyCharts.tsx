import { useElementSize } from '@mantine/hooks';
import { useState } from 'react';
import type { DailyTotals } from '~/api/types';
import { formatDay } from '~/lib/dates';
import { formatMoney, microsToUnits } from '~/domain/billing/money';
import { formatCount } from '~/lib/numbers';
import { useNow } from '~/lib/use-now';
import { Skeleton, Loading } from '~/ui/feedback/Skeleton';
import { BarChart, LineChart } from '~/ui/data/Chart';
import { DayDetails } from '~/ui/data/DayDetails';
import { ErrorNotice } from '~/components/feedback/ErrorNotice';
import { Section } from '~/ui/layout/Page';
import table from '~/ui/layout/Table.module.css';
import { describeDay, markOf, runsText, stateText, summaryOf } from './describe-days';
import { hasCost, unknownRates } from './describe-figures';
import styles from './DailyCharts.module.css';

const Legend = () => (
  <span className={styles.legend} aria-hidden>
    <span>
      <i className={styles.final} /> Final
    </span>
    <span>
      <i className={styles.provisional} /> Provisional
    </span>
    <span>
      <i className={styles.run} /> Run ended
    </span>
  </span>
);

function DataTable({ daily }: { daily: DailyTotals }) {
  const now = useNow();
  return (
    <div className={styles.tableFrame} tabIndex={0} role="region" aria-label="Rows and cost per day, as a table">
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col" className={table.number}>
              Rows
            </th>
            {hasCost(daily) && (
              <th scope="col" className={table.number}>
                Cost, {daily.currency}
              </th>
            )}
            <th scope="col">State</th>
            <th scope="col">Runs ended</th>
          </tr>
        </thead>
        <tbody>
          {daily.days.toReversed().map((day) => (
            <tr key={day.date}>
              <td>{formatDay(day.date, now)}</td>
              <td className={table.number}>{formatCount(day.rows)}</td>
              {hasCost(daily) && <td className={table.number}>{formatMoney(day.costMicros, daily.currency)}</td>}
              <td className="quiet">{stateText(day)}</td>
              <td className="quiet">{runsText(daily.runs.find(({ date }) => date === day.date)) ?? '—'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Charts({ daily }: { daily: DailyTotals }) {
  const now = useNow();
  const { ref, width } = useElementSize();
  const [hoveredDate, setHoveredDate] = useState<string | null>(null);
  const { days, currency } = daily;
  const runs = new Map(daily.runs.map((of) => [of.date, of]));
  const bars = days.map((day) => ({ ...day, mark: markOf(runs.get(day.date)) }));
  const line = days.map(({ date, costMicros }) => ({ date, cost: costMicros === null ? null : microsToUnits(costMicros) }));
  const day = days.find(({ date }) => date === hoveredDate);
  const chart = { width, hoveredDate, onHover: setHoveredDate };
  const unknown = unknownRates(daily);
  return (
    <div ref={ref}>
      <DayDetails label="Rows">{day && `${formatDay(day.date, now)}: ${describeDay(daily, day)}`}</DayDetails>
      <BarChart days={bars} height={170} {...chart} />
      {hasCost(daily) && (
        <>
          <p className={styles.measure}>
            Cost, {currency}
            {daily.isMixedCurrency && ', at the exchange rate of each day'}
          </p>
          <LineChart days={line} height={118} {...chart} />
        </>
      )}
      {unknown.length > 0 && (
        <p className={styles.measure}>
          {hasCost(daily) ? 'Some days have no cost' : 'Cost is not shown'}: no exchange rate for {unknown.join(', ')}.
        </p>
      )}
    </div>
  );
}

interface DailyChartsProps {
  daily: DailyTotals | undefined;
  error: unknown;
  onRetry: () => void;
}

export function DailyCharts({ daily, error, onRetry }: DailyChartsProps) {
  const now = useNow();
  const [isTable, setTable] = useState(false);
  return (
    <Section title={daily && !hasCost(daily) ? 'Rows per day' : 'Rows and cost per day'} aside={<Legend />}>
      {error !== undefined && <ErrorNotice error={error} title="Couldn’t load daily totals" onRetry={onRetry} />}
      {!daily && error === undefined && (
        <Loading label="Loading days">
          <div className={styles.loading}>
            <Skeleton width="100%" height={170} radius={6} />
            <Skeleton width="100%" height={118} radius={6} />
          </div>
        </Loading>
      )}
      {daily && daily.days.every((day) => day.rows === 0) && <p className="quiet">No rows in the last 30 days.</p>}
      {daily && daily.days.some((day) => day.rows > 0) && (
        <>
          {isTable ? <DataTable daily={daily} /> : <Charts daily={daily} />}
          <p className="visually-hidden">{summaryOf(daily, now)}</p>
          <button type="button" className={styles.toggle} onClick={() => setTable(!isTable)}>
            {isTable ? 'Show as charts' : 'Show as table'}
          </button>
        </>
      )}
    </Section>
  );
}
