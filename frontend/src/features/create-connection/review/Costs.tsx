import { Button } from '@mantine/core';
import type { Draft } from '~/api/connections/connection-draft';
import type { Estimate, Source } from '~/api/types';
import { formatDay } from '~/lib/dates';
import { formatMinutes } from '~/lib/durations';
import { formatCount, formatEstimate, plural } from '~/lib/numbers';
import { describeInterval } from '~/domain/connections/schedule';
import { useNow } from '~/lib/use-now';
import { Notice } from '~/ui/feedback/Notice';
import { providerName } from '~/components/status/ProviderMark';
import table from '~/ui/layout/Table.module.css';
import styles from './Costs.module.css';

const DAYS_PER_MONTH = 30;

interface LineProps {
  name: string;
  second: string;
  cost: { rows: number; apiCalls: number };
  time?: string;
  isSum?: boolean;
}

const Line = ({ name, second, cost, time, isSum }: LineProps) => (
  <tr data-sum={isSum || undefined}>
    <td>
      <span className={table.name}>{name}</span>
      {second && <span className={table.second}>{second}</span>}
    </td>
    <td className={table.number}>{formatEstimate(cost.rows)}</td>
    <td className={table.number}>{formatEstimate(cost.apiCalls)}</td>
    <td className={table.number}>{time}</td>
  </tr>
);

/** `once a day`, `24 times a day`, `4 times a month` */
export function describeRuns(runs: number): string {
  const perDay = runs / DAYS_PER_MONTH;
  if (perDay < 1) return `${plural(runs, 'time')} a month`;
  return perDay === 1 ? 'once a day' : `${plural(Math.round(perDay), 'time')} a day`;
}

/** The full lookback window is read once a day, its most recent days by each run. */
export function describeLookback(runs: number, lookbackDays: number, recentDays: number): string {
  const readsRecentDaysMoreOften = runs > DAYS_PER_MONTH && recentDays < lookbackDays;
  if (!readsRecentDaysMoreOften) return `last ${plural(lookbackDays, 'day')} ${describeRuns(runs)}`;
  return `last ${plural(lookbackDays, 'day')} daily, last ${plural(recentDays, 'day')} every run`;
}

function CostTable({
  draft,
  estimate: { firstLoad, eachMonth, lookbackDays, recentDays },
}: {
  draft: Draft;
  estimate: Estimate;
}) {
  const now = useNow(300_000);
  const isManual = eachMonth.runs === 0;
  return (
    <table className={`${table.table} ${styles.costs}`} data-rows="two">
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">When</span>
          </th>
          {['Rows', 'Source calls', 'Time'].map((head) => (
            <th key={head} scope="col" className={table.number}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <Line
          name="Initial load"
          second={`${draft.historyFrom ? formatDay(draft.historyFrom, now) : ''} to today, once, ${plural(firstLoad.slices, 'chunk')}`}
          cost={firstLoad}
          time={formatMinutes(firstLoad.minutes)}
        />
        {!isManual && <Line name="New data" second="per month" cost={eachMonth.newDays} />}
        {!isManual && (
          <Line
            name="Re-synced"
            second={`per month: ${describeLookback(eachMonth.runs, lookbackDays, recentDays)}`}
            cost={eachMonth.lookback}
          />
        )}
        <Line
          name="Total per month"
          second={isManual ? 'manual runs only' : ''}
          cost={eachMonth}
          time={isManual ? '' : `${formatMinutes(eachMonth.minutesPerRun)} per run`}
          isSum
        />
      </tbody>
    </table>
  );
}

/** The calls per day and their composition, and as a bar the share of the daily quota, if the platform has one. */
function DailyCalls({ estimate: { eachMonth, dailyCalls }, platform }: { estimate: Estimate; platform: string }) {
  const daily = (calls: number) => Math.round(calls / DAYS_PER_MONTH);
  const [fresh, resynced, all] = [eachMonth.newDays, eachMonth.lookback, eachMonth].map(({ apiCalls }) => daily(apiCalls)) as [
    number,
    number,
    number,
  ];
  const limit = dailyCalls?.limit ?? all;
  const percent = (calls: number) => (limit === 0 ? 0 : Math.min(100, (100 * calls) / limit));
  const words = dailyCalls
    ? ` of ${formatCount(limit)} calls by ${dailyCalls.access}, ${Math.ceil(percent(all))}%`
    : ` ${all === 1 ? 'call' : 'calls'}`;
  return (
    <div className={styles.quota}>
      <p className={styles.quotaHead}>
        <span>{platform} calls per day</span>
        <span>
          <strong>{formatCount(all)}</strong>
          {words}
        </span>
      </p>
      {dailyCalls && (
        <div
          role="meter"
          aria-label={`${platform} calls per day`}
          aria-valuemin={0}
          aria-valuemax={Math.max(limit, all)}
          aria-valuenow={all}
          aria-valuetext={`${formatCount(all)}${words}: ${formatCount(fresh)} for new data, ${formatCount(resynced)} re-synced`}
          className={styles.bar}
        >
          <span data-part="new" style={{ width: `${percent(fresh)}%` }} />
          <span data-part="lookback" style={{ width: `${percent(resynced)}%` }} />
        </div>
      )}
      <p className={styles.legend}>
        <span data-part="new">New data: {formatCount(fresh)}</span>
        <span data-part="lookback">Re-synced: {formatCount(resynced)}</span>
      </p>
    </div>
  );
}

interface CostsProps {
  draft: Draft;
  source: Source | undefined;
  estimate: Estimate;
  onSchedule: (everyMinutes: number) => void;
}

/** Rounded down, so that it does not promise too much. */
const percentFewer = (rows: number, than: number): number => Math.floor((1 - rows / than) * 100);

/** Estimated usage: initial load, then new and re-synced data per month. */
export function Costs({ draft, source, estimate, onSchedule }: CostsProps) {
  const { eachMonth, sparing } = estimate;
  const platform = source ? providerName(source.provider) : 'Platform';
  return (
    <>
      <CostTable draft={draft} estimate={estimate} />
      {eachMonth.apiCalls > 0 && <DailyCalls estimate={estimate} platform={platform} />}
      {sparing && (
        <Notice
          tone="accent"
          title={`Run every ${describeInterval(sparing.everyMinutes)} and read ${percentFewer(sparing.rows, eachMonth.rows)}% fewer rows`}
          actions={
            <Button variant="default" onClick={() => onSchedule(sparing.everyMinutes)}>
              Use this schedule
            </Button>
          }
        >
          Most rows of each run have been read before. With {formatEstimate(sparing.rows)} rows and{' '}
          {formatEstimate(sparing.apiCalls)} calls per month the data is equally complete. Today’s numbers are up to{' '}
          {describeInterval(sparing.everyMinutes)} old.
        </Notice>
      )}
    </>
  );
}
