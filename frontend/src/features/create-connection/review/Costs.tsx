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

/** The whole look-back is read once a day, and its last days by every run. */
export function describeLookback(runs: number, lookbackDays: number, recentDays: number): string {
  const isOften = runs > DAYS_PER_MONTH && recentDays < lookbackDays;
  if (!isOften) return `${plural(lookbackDays, 'day')} read again, ${describeRuns(runs)}`;
  return `${plural(lookbackDays, 'day')} read again once a day, ${recentDays} of them ${describeRuns(runs)}`;
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
          {['Rows', 'API calls', 'Time'].map((head) => (
            <th key={head} scope="col" className={table.number}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <Line
          name="First load"
          second={`${draft.historyFrom ? formatDay(draft.historyFrom, now) : ''} to today, once, ${plural(firstLoad.slices, 'slice')}`}
          cost={firstLoad}
          time={formatMinutes(firstLoad.minutes)}
        />
        {!isManual && <Line name="New days" second="each month" cost={eachMonth.newDays} />}
        {!isManual && (
          <Line
            name="Look-back"
            second={`each month: ${describeLookback(eachMonth.runs, lookbackDays, recentDays)}`}
            cost={eachMonth.lookback}
          />
        )}
        <Line
          name="Each month"
          second={isManual ? 'only when run by hand' : ''}
          cost={eachMonth}
          time={isManual ? '' : `${formatMinutes(eachMonth.minutesPerRun)} a run`}
          isSum
        />
      </tbody>
    </table>
  );
}

/** How much of a day's calls this connection would use, where the platform counts them; otherwise what they are made of. */
function DailyCalls({ estimate: { eachMonth, dailyCalls }, platform }: { estimate: Estimate; platform: string }) {
  const daily = (calls: number) => Math.round(calls / DAYS_PER_MONTH);
  const [fresh, again, all] = [eachMonth.newDays, eachMonth.lookback, eachMonth].map(({ apiCalls }) => daily(apiCalls)) as [
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
        <span>{platform} calls, each day</span>
        <span>
          <strong>{formatCount(all)}</strong>
          {words}
        </span>
      </p>
      <div
        role="meter"
        aria-label={`${platform} calls, each day`}
        aria-valuemin={0}
        aria-valuemax={Math.max(limit, all)}
        aria-valuenow={all}
        aria-valuetext={`${formatCount(all)}${words}: ${formatCount(fresh)} for new days, ${formatCount(again)} for the look-back`}
        className={styles.bar}
      >
        <span data-part="new" style={{ width: `${percent(fresh)}%` }} />
        <span data-part="lookback" style={{ width: `${percent(again)}%` }} />
      </div>
      <p className={styles.legend} aria-hidden>
        <span data-part="new">New days</span>
        <span data-part="lookback">Look-back</span>
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

/** What drives the cost: the first load, then each month what is new and what is read again. */
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
          title={`Run every ${describeInterval(sparing.everyMinutes)} instead, and read ${formatEstimate(sparing.rows)} rows a month`}
          actions={
            <Button variant="default" onClick={() => onSchedule(sparing.everyMinutes)}>
              Use this
            </Button>
          }
        >
          Nearly all of what each run reads has been read before. With {formatEstimate(sparing.apiCalls)} calls a month the same
          days settle, and today’s numbers are a few hours older.
        </Notice>
      )}
    </>
  );
}
