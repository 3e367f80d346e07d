import { SegmentedControl, Select, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { useChangedDays } from '~/api/connections/changes';
import type { Connection, Restatement } from '~/api/types';
import { ErrorNotice } from '~/components/feedback/ErrorNotice';
import { addDays, formatDay, localDay } from '~/lib/dates';
import { plural } from '~/lib/numbers';
import { useNow } from '~/lib/use-now';
import { useOrganizationId } from '~/session/organization-context';
import { KeepHeight } from '~/ui/feedback/KeepHeight';
import { Skeleton, Loading } from '~/ui/feedback/Skeleton';
import { Section } from '~/ui/layout/Page';
import table from '~/ui/layout/Table.module.css';
import { changedShare, formatChange, formatMetric, levelOf, METRICS } from './changed-share';
import type { Metric } from './changed-share';
import styles from './Changes.module.css';

const DAYS = 42;
const LEVELS = ['Unchanged', 'Under 1%', '1–3%', '3–10%', '10% and more'];

const Legend = () => (
  <span className={styles.legend} aria-hidden>
    {LEVELS.map((label, level) => (
      <span key={label}>
        <i className={styles.cell} data-level={level} /> {label}
      </span>
    ))}
  </span>
);

interface MovedDays {
  days: string[];
  items: Restatement[];
  metric: Metric;
}

function HeatStrip({ days, items, metric }: MovedDays) {
  const now = useNow(300_000);
  const byDay = new Map(items.map((item) => [item.date, item]));
  return (
    <>
      <div className={styles.strip} aria-hidden>
        {days.map((day) => {
          const item = byDay.get(day);
          const share = item ? changedShare(item, metric) : 0;
          const text = share === 0 ? 'unchanged' : `${formatChange(share)} since the initial load`;
          return (
            <Tooltip key={day} label={`${formatDay(day, now)}: ${text}`} openDelay={0}>
              <span className={styles.cell} data-level={levelOf(share)} />
            </Tooltip>
          );
        })}
      </div>
      <div className={styles.ends} aria-hidden>
        <span>{formatDay(days[0] ?? '', now)}</span>
        <span>{formatDay(days.at(-1) ?? '', now)}</span>
      </div>
    </>
  );
}

function MovedTable({ items, metric }: Omit<MovedDays, 'days'>) {
  const now = useNow(300_000);
  return (
    <div className={styles.frame} tabIndex={0} role="region" aria-label="Changed days, as a table">
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col" className={table.number}>
              Initial load
            </th>
            <th scope="col" className={table.number}>
              Now
            </th>
            <th scope="col" className={table.number}>
              Change
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={item.date}>
              <td>
                {formatDay(item.date, now)}
                <span className={table.second}>
                  {plural(item.revisions, 'change')}, last after {plural(item.lastChangedAfterDays, 'day')}
                </span>
              </td>
              <td className={table.number}>{formatMetric(item.firstLoad, metric, item.currency)}</td>
              <td className={table.number}>{formatMetric(item.current, metric, item.currency)}</td>
              <td className={table.number}>{formatChange(changedShare(item, metric))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function summaryOf(items: Restatement[], metric: Metric, now: Date): string {
  const name = METRICS.find(({ value }) => value === metric)?.label.toLowerCase() ?? '';
  const moved = items.filter((item) => (changedShare(item, metric) ?? 0) !== 0);
  if (moved.length === 0) return `No day of the last ${DAYS} changed its ${name} after the initial load.`;
  const size = (item: Restatement) => Math.abs(changedShare(item, metric) ?? 0);
  const most = moved.reduce((largest, item) => (size(item) > size(largest) ? item : largest));
  return `${plural(moved.length, 'day')} of the last ${DAYS} changed ${name} after the initial load, most of all ${formatDay(most.date, now)} (${formatChange(changedShare(most, metric))}).`;
}

function MovedContent({ days, items, metric, isTable, onToggle }: MovedDays & { isTable: boolean; onToggle: () => void }) {
  const now = useNow(300_000);
  return (
    <>
      <p className="quiet" aria-live="polite">
        {summaryOf(items, metric, now)}
      </p>
      {isTable ? <MovedTable items={items} metric={metric} /> : <HeatStrip days={days} items={items} metric={metric} />}
      {!isTable && <Legend />}
      {items.length > 0 && (
        <button type="button" className={styles.toggle} onClick={onToggle}>
          {isTable ? 'Show as chart' : 'Show as table'}
        </button>
      )}
    </>
  );
}

/** How much each of the last days still changed after its first load, for one account. */
export function Movement({ connection, stream }: { connection: Connection; stream: string }) {
  const now = useNow(300_000);
  const { accounts } = connection.source;
  const [accountId, setAccountId] = useState(accounts[0]?.externalId ?? '');
  const [metric, setMetric] = useState<Metric>('cost');
  const [isTable, setTable] = useState(false);
  const to = localDay(now);
  const days = Array.from({ length: DAYS }, (_, index) => addDays(to, index + 1 - DAYS));
  const filter = { stream, account: accountId, from: days[0] ?? to, to };
  const { data, error, mutate } = useChangedDays(useOrganizationId(), connection.id, filter);
  const isLoading = !data && error === undefined;
  return (
    <Section title="How much each day still changed">
      <div className={styles.tools}>
        {accounts.length > 1 && (
          <Select
            w={240}
            maw="100%"
            data={accounts.map(({ externalId, name }) => ({ value: externalId, label: name }))}
            value={accountId}
            onChange={(id) => id && setAccountId(id)}
            aria-label="Account"
          />
        )}
        <SegmentedControl
          className={styles.metrics}
          data={[...METRICS]}
          value={metric}
          onChange={(value) => setMetric(value as Metric)}
          aria-label="Metric"
        />
      </div>
      {error !== undefined && <ErrorNotice error={error} title="Couldn’t load changed days" onRetry={() => void mutate()} />}
      <KeepHeight isLoading={isLoading}>
        {isLoading && (
          <Loading label="Loading changed days">
            <Skeleton width="100%" height={28} radius={4} />
          </Loading>
        )}
        {data && (
          <MovedContent days={days} items={data.items} metric={metric} isTable={isTable} onToggle={() => setTable(!isTable)} />
        )}
      </KeepHeight>
    </Section>
  );
}
