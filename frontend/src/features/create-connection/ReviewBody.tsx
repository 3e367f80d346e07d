import type { Destination, Estimate } from '../../api/types';
import { formatDay } from '../../lib/dates';
import { formatMinutes } from '../../lib/durations';
import { formatEstimate, plural } from '../../lib/numbers';
import { describeSchedule, runsPerDay } from '../../lib/schedule';
import { useNow } from '../../lib/use-now';
import { Bone, Loading } from '../../ui/Bone';
import { CheckList, passedCount, PendingCheckList } from '../../ui/CheckList';
import { Facts } from '../../ui/Facts';
import { Section, WithFacts } from '../../ui/Page';
import table from '../../ui/Table.module.css';
import type { Draft } from '../../api/connection-draft';
import styles from './ReviewBody.module.css';
import { writeModeOf } from './stream-choice';

function Costs({ draft, estimate }: { draft: Draft; estimate: Estimate }) {
  const now = useNow(300_000);
  const { firstLoad, eachMonth, lookbackDays } = estimate;
  const daily = draft.schedule ? runsPerDay(draft.schedule) : 0;
  return (
    <table className={table.table} data-rows="two">
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">When</span>
          </th>
          <th scope="col" className={table.number}>
            Rows
          </th>
          <th scope="col" className={table.number}>
            API calls
          </th>
          <th scope="col" className={table.number}>
            Time
          </th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <td>
            <span className={table.name}>First load</span>
            <span className={table.second}>
              {draft.historyFrom && formatDay(draft.historyFrom, now)} to yesterday, once, {plural(firstLoad.slices, 'slice')}
            </span>
          </td>
          <td className={table.number}>{formatEstimate(firstLoad.rows)}</td>
          <td className={table.number}>{formatEstimate(firstLoad.apiCalls)}</td>
          <td className={table.number}>{formatMinutes(firstLoad.minutes)}</td>
        </tr>
        <tr>
          <td>
            <span className={table.name}>Each month</span>
            <span className={table.second}>
              {daily === 0
                ? 'only when run by hand'
                : `${plural(lookbackDays, 'day')} read again, ${plural(daily, 'time')} a day`}
            </span>
          </td>
          <td className={table.number}>{formatEstimate(eachMonth.rows)}</td>
          <td className={table.number}>{formatEstimate(eachMonth.apiCalls)}</td>
          <td className={table.number} />
        </tr>
      </tbody>
    </table>
  );
}

const isNumber = (value: string | null): boolean => value !== null && /^-?\d+(\.\d+)?$/.test(value);

function Sample({ sample }: { sample: NonNullable<Estimate['sample']> }) {
  if (sample.rows.length === 0) return <p className="quiet">These accounts had no rows in the last days.</p>;
  return (
    <div className={table.scroll} tabIndex={0} role="region" aria-label="First rows">
      <table className={`${table.table} ${styles.sample}`}>
        <thead>
          <tr>
            {sample.columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sample.rows.map((row, index) => (
            <tr key={index}>
              {row.map((value, column) => (
                <td key={column} className={isNumber(value) ? table.number : undefined}>
                  {value ?? '—'}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface ReviewBodyProps {
  draft: Draft;
  destination: Destination | undefined;
  estimate: Estimate;
  onChange: () => void;
}

function Side({ draft, destination, estimate, onChange }: ReviewBodyProps) {
  const now = useNow(300_000);
  return (
    <>
      <Section title="Checks" aside={passedCount(estimate.checks)}>
        <CheckList items={estimate.checks} />
      </Section>
      <Section
        title="Settings"
        aside={
          <button type="button" className={styles.change} onClick={onChange}>
            Change
          </button>
        }
      >
        <Facts
          facts={[
            { label: 'Name', value: draft.name },
            { label: 'Streams', value: draft.streams?.length ?? 0 },
            { label: 'Write mode', value: destination ? writeModeOf(destination) : '—' },
            { label: 'Schedule', value: draft.schedule ? describeSchedule(draft.schedule) : '—' },
            {
              label: 'Look-back',
              value: `${plural(estimate.lookbackDays, 'day')}${draft.lookbackDays === null ? ', automatic' : ''}`,
            },
            { label: 'History from', value: draft.historyFrom ? formatDay(draft.historyFrom, now) : '—' },
          ]}
        />
      </Section>
    </>
  );
}

export const ReviewBody = (props: ReviewBodyProps) => (
  <div className={styles.review}>
    <WithFacts facts={<Side {...props} />}>
      <Section title="What it costs">
        <Costs draft={props.draft} estimate={props.estimate} />
      </Section>
      {props.estimate.sample && (
        <Section title="First rows" aside={`${props.estimate.sample.stream}, read a moment ago; nothing written`}>
          <Sample sample={props.estimate.sample} />
        </Section>
      )}
    </WithFacts>
  </div>
);

export const Estimating = () => (
  <div className={styles.review}>
    <WithFacts
      facts={
        <Section title="Checks">
          <PendingCheckList
            labels={['Accounts answer', 'Reports are allowed', 'The destination answers', 'Tables can be made']}
          />
        </Section>
      }
    >
      <Section title="What it costs">
        <Loading label="Reading the last days to estimate">
          <div style={{ display: 'grid', gap: 20 }}>
            <Bone width="100%" height={36} />
            <Bone width="100%" height={36} />
            <Bone width="70%" height={16} />
          </div>
        </Loading>
        <p className="quiet" style={{ marginTop: 16 }}>
          Reading a few of the last days to estimate. Nothing is written.
        </p>
      </Section>
    </WithFacts>
  </div>
);
