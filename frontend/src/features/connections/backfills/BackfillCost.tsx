import { useBackfillEstimate } from '~/api/connections/backfills';
import type { BackfillEstimate, Connection, NewBackfill } from '~/api/types';
import { formatDayRange } from '~/lib/dates';
import { formatMinutes } from '~/lib/durations';
import { useNow } from '~/lib/use-now';
import { useOrganizationId } from '~/session/organization-context';
import { ErrorText } from '~/components/feedback/ErrorText';
import { Skeleton } from '~/ui/feedback/Skeleton';
import { amountsOf } from './amounts-of';
import styles from './Backfills.module.css';

export function Cost({ estimate }: { estimate: BackfillEstimate }) {
  const now = useNow(300_000);
  const { accountDays, minutes, from, to, adjustedReason } = estimate;
  if (accountDays === 0) return <p>All of these days are loaded.</p>;
  return (
    <>
      <p>
        <strong>{formatDayRange(from, to, now)}</strong>: {amountsOf(estimate)}, {formatMinutes(minutes)}
      </p>
      {adjustedReason && (
        <p className="quiet">
          Starts on {from}: {adjustedReason}
        </p>
      )}
    </>
  );
}

/** What the backfill costs. The platform is not requested for it. */
export function BackfillCost({ connection, body }: { connection: Connection; body: NewBackfill | null }) {
  const { data, error } = useBackfillEstimate(useOrganizationId(), connection.id, body);
  return (
    <section className={styles.estimate} aria-label="Estimate" aria-live="polite">
      {body === null && <p className="quiet">Choose the first and the last day.</p>}
      {body !== null && error !== undefined && <ErrorText error={error} />}
      {body !== null && !data && error === undefined && <Skeleton width="80%" />}
      {data && <Cost estimate={data} />}
    </section>
  );
}
