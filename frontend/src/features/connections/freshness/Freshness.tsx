import { Button } from '@mantine/core';
import { IconCircleCheck, IconCircleDashed, IconCircleX, IconHourglass } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { useFreshness } from '~/api/connections/freshness';
import { useConnectionActions } from '~/api/connections/use-connection-actions';
import type { Connection, Freshness as Answer, FreshnessDay } from '~/api/types';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import { ActionButton } from '~/components/flow/ActionButton';
import { Status } from '~/components/status/Status';
import { connectionCan, healthTable } from '~/domain/connections/connection-state';
import { describeTarget, freshnessTable } from '~/domain/connections/freshness';
import { paths } from '~/domain/navigation/paths';
import { formatDay, formatMoment, formatNearDay } from '~/lib/dates';
import { plural } from '~/lib/numbers';
import { sentence } from '~/lib/sentence';
import { useNow } from '~/lib/use-now';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { Skeleton } from '~/ui/feedback/Skeleton';
import { Section } from '~/ui/layout/Page';
import styles from './Freshness.module.css';
import { FreshnessStrip } from './FreshnessStrip';

const ICONS = {
  good: IconCircleCheck,
  danger: IconCircleX,
  warn: IconCircleDashed,
  accent: IconHourglass,
  idle: IconCircleDashed,
};
/** Incomplete days that are described. The others are in Coverage. */
const DESCRIBED_DAYS = 3;

/** `2 of 6 account-days missing: campaign_daily of Northwind US and 1 other` */
function describeMissing({ expected, complete, missing }: FreshnessDay): string {
  const [first] = missing;
  const others = expected - complete - 1;
  const where = first ? `: ${first.stream} of ${first.accountName}${others > 0 ? ` and ${plural(others, 'other')}` : ''}` : '';
  return `${expected - complete} of ${plural(expected, 'account-day')} missing${where}`;
}

/** The notice above has the action for a connection in a bad state: a page has one. */
function Action({ connection, cause }: { connection: Connection; cause: Answer['cause'] }) {
  const organizationId = useOrganizationId();
  const { run, setActive } = useConnectionActions(organizationId);
  const disabledReason = usePermissionGate(cause?.code === 'paused' ? 'connections.write' : 'runs.start');
  const { tone } = healthTable[connection.health];
  if (cause === null || tone === 'danger' || tone === 'warn') return null;
  if (cause.code === 'subscription')
    return (
      <Button variant="default" component={Link} to={paths.subscription(organizationId)}>
        Open subscription
      </Button>
    );
  if (cause.code === 'paused')
    return (
      <ActionButton variant="default" disabledReason={disabledReason} onAct={() => setActive(connection, true)}>
        Resume connection
      </ActionButton>
    );
  if (!connectionCan.run(connection)) return null;
  return (
    <ActionButton variant="default" disabledReason={disabledReason} onAct={() => run(connection.id)}>
      Load missing days
    </ActionButton>
  );
}

function Verdict({ freshness, day, noticed }: { freshness: Answer; day: FreshnessDay; noticed: string | null }) {
  const now = useNow();
  const { word, tone } = freshnessTable[day.state];
  const { target, cause } = freshness;
  const hasCause = cause !== null && !day.isComplete && cause.code !== 'missing' && cause.message !== noticed;
  return (
    <div>
      <p className={styles.verdict}>
        {formatNearDay(day.day, now)}{' '}
        <Status icon={ICONS[tone]} tone={tone}>
          {word}
        </Status>
      </p>
      <p className={styles.note}>
        {day.deadline !== null && !day.isComplete && `Due ${formatMoment(day.deadline, now)}. `}
        {hasCause && `${sentence(cause.message)} `}
        {target !== null && day.isComplete && describeTarget(target)}
      </p>
    </div>
  );
}

interface FreshnessProps {
  connection: Connection;
  /** The message that the notice above shows. */
  noticed: string | null;
}

function Content({ connection, noticed, freshness }: FreshnessProps & { freshness: Answer }) {
  const organizationId = useOrganizationId();
  const now = useNow();
  const { days, target, cause } = freshness;
  const current = days.find(({ day }) => day === freshness.day);
  const open = days.filter(({ isComplete }) => !isComplete);
  if (!current) return <p className={styles.note}>No day has ended since the start date.</p>;
  return (
    <>
      <div className={styles.top}>
        <Verdict freshness={freshness} day={current} noticed={noticed} />
        <Action connection={connection} cause={cause} />
      </div>
      <div className={styles.days}>
        <FreshnessStrip days={days} />
        <span className={styles.range}>
          <span>{formatDay(days[0]?.day ?? current.day, now)}</span>
          <span>{formatDay(days.at(-1)?.day ?? current.day, now)}</span>
        </span>
      </div>
      {open.length > 0 && (
        <ul className={styles.open} aria-label="Incomplete days">
          {open.slice(-DESCRIBED_DAYS).map((day) => (
            <li key={day.day}>
              <strong>{formatDay(day.day, now)}</strong> {freshnessTable[day.state].word.toLowerCase()}, {describeMissing(day)}
            </li>
          ))}
          {open.length > DESCRIBED_DAYS && (
            <li>
              <Link to={paths.connection(organizationId, connection.id, { tab: 'coverage' })}>
                {plural(open.length - DESCRIBED_DAYS, 'earlier day')} in Coverage
              </Link>
            </li>
          )}
        </ul>
      )}
      {target === null && (
        <p className={styles.note}>
          <Link to={paths.connection(organizationId, connection.id, { tab: 'settings' })}>Set a freshness target</Link> to be
          notified when a day is late.
        </p>
      )}
    </>
  );
}

/** Whether yesterday is complete, and if not, why. */
export function Freshness({ connection, noticed }: FreshnessProps) {
  const { data, error, mutate } = useFreshness(useOrganizationId(), connection.id);
  return (
    <Section title="Freshness">
      <div className={styles.body}>
        <LoadedContent
          data={data}
          error={error}
          reload={mutate}
          errorTitle="Couldn’t load freshness"
          skeleton={
            <div className={styles.loading} aria-busy="true" aria-label="Loading freshness">
              <Skeleton width={220} height={20} />
              <Skeleton width={250} height={18} />
            </div>
          }
        >
          {(freshness) => <Content connection={connection} noticed={noticed} freshness={freshness} />}
        </LoadedContent>
      </div>
    </Section>
  );
}
