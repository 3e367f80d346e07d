import { Button } from '@mantine/core';
import type { CatalogStream, Destination, Estimate, Source } from '~/api/types';
import { formatDay } from '~/lib/dates';
import { plural } from '~/lib/numbers';
import { formatPast } from '~/lib/relative-time';
import { describeSchedule } from '~/domain/connections/schedule';
import { useNow } from '~/lib/use-now';
import { Skeleton, Loading } from '~/ui/feedback/Skeleton';
import { CheckList, passedCount, PendingCheckList } from '~/components/settings-form/CheckList';
import { DescriptionList } from '~/ui/data/DescriptionList';
import { Section } from '~/ui/layout/Page';
import { WithFacts } from '~/ui/layout/WithFacts';
import type { Draft } from '~/api/connections/connection-draft';
import { Costs } from './Costs';
import styles from './ReviewBody.module.css';
import { SampleTable } from '~/components/sample-table/SampleTable';
import { toHashedBody } from '~/components/stream-table/hashed-fields';
import { writeModeOf } from '~/components/stream-table/stream-choice';

interface ReviewBodyProps {
  draft: Draft;
  source: Source | undefined;
  destination: Destination | undefined;
  /** Stream of the sample. */
  stream: CatalogStream | undefined;
  estimate: Estimate;
  /** The checks are repeated; the shown ones are those of the last time. */
  isChecking: boolean;
  onCheck: () => void;
  onChange: () => void;
  onSchedule: (everyMinutes: number) => void;
}

function Checks({ estimate: { checks }, isChecking, onCheck }: Pick<ReviewBodyProps, 'estimate' | 'isChecking' | 'onCheck'>) {
  const hasProblem = checks.some(({ state, isWarning }) => state === 'failed' || isWarning);
  return (
    <Section title="Checks" aside={isChecking ? 'Checking again…' : passedCount(checks)}>
      <CheckList items={checks} />
      {hasProblem && (
        <Button variant="default" mt={12} loading={isChecking} onClick={onCheck}>
          Check again
        </Button>
      )}
    </Section>
  );
}

function Side({ draft, destination, estimate, isChecking, onCheck, onChange }: ReviewBodyProps) {
  const now = useNow(300_000);
  const hashedCount = toHashedBody(draft.hashed, draft.streams ?? [], draft.leftOut).flatMap(({ columns }) => columns).length;
  const excludedCount = (draft.streams ?? []).reduce((sum, name) => sum + (draft.leftOut[name]?.length ?? 0), 0);
  return (
    <>
      <Checks estimate={estimate} isChecking={isChecking} onCheck={onCheck} />
      <Section
        title="Settings"
        aside={
          <button type="button" className={styles.change} onClick={onChange}>
            Change
          </button>
        }
      >
        <DescriptionList
          facts={[
            { label: 'Name', value: draft.name },
            { label: 'Streams', value: draft.streams?.length ?? 0 },
            { label: 'Fields', value: excludedCount === 0 ? 'All' : `All but ${excludedCount}` },
            { label: 'Hashed fields', value: hashedCount === 0 ? 'None' : hashedCount },
            { label: 'Sync mode', value: destination ? writeModeOf(destination) : '—' },
            { label: 'Schedule', value: draft.schedule ? describeSchedule(draft.schedule) : '—' },
            {
              label: 'Lookback window',
              value: `${plural(estimate.lookbackDays, 'day')}${draft.lookbackDays === null ? ', automatic' : ''}`,
            },
            { label: 'Start date', value: draft.historyFrom ? formatDay(draft.historyFrom, now) : '—' },
          ]}
        />
      </Section>
    </>
  );
}

function FirstRows({ estimate: { sample, readAt }, stream }: Pick<ReviewBodyProps, 'estimate' | 'stream'>) {
  const now = useNow();
  return (
    <Section title="First rows" aside={`${sample.stream}, read ${formatPast(readAt, now)}, not written`}>
      <SampleTable sample={sample} stream={stream} none="No rows in recent days for these accounts." />
    </Section>
  );
}

export const ReviewBody = (props: ReviewBodyProps) => (
  <div className={styles.review}>
    <WithFacts facts={<Side {...props} />}>
      <Section title="Estimated usage">
        <Costs draft={props.draft} source={props.source} estimate={props.estimate} onSchedule={props.onSchedule} />
      </Section>
      {props.estimate.sample && <FirstRows estimate={props.estimate} stream={props.stream} />}
    </WithFacts>
  </div>
);

const ALWAYS_CHECKED = ['Platform answers', 'Accounts open'];

/** Checks have the labels of the destination's last check. The parts have the sizes of the estimate. */
export const Estimating = ({ destination }: { destination: Destination | undefined }) => (
  <div className={styles.review}>
    <WithFacts
      facts={
        <Section title="Checks">
          <PendingCheckList
            labels={[...ALWAYS_CHECKED, ...(destination?.lastCheck?.items.map(({ label }) => label) ?? []), 'Tables not shared']}
          />
        </Section>
      }
    >
      <Section title="Estimated usage">
        <Loading label="Reading recent days for the estimate">
          <div style={{ display: 'grid', gap: 20 }}>
            {[0, 1, 2, 3].map((row) => (
              <Skeleton key={row} width="100%" height={33} />
            ))}
            <Skeleton width="100%" height={48} />
          </div>
        </Loading>
        <p className="quiet" style={{ marginTop: 16 }}>
          Reading recent days for the estimate. Nothing is written.
        </p>
      </Section>
    </WithFacts>
  </div>
);
