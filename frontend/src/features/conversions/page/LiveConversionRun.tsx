import { useConversionRuns } from '~/api/conversions/conversions';
import { Status } from '~/components/status/Status';
import { IconLoader2 } from '@tabler/icons-react';
import { formatCount } from '~/lib/numbers';
import { formatDuration, millisecondsBetween } from '~/lib/durations';
import { useNow } from '~/lib/use-now';
import { useOrganizationId } from '~/session/organization-context';
import { Stat } from '~/ui/data/Stat';
import styles from './Overview.module.css';

/** The counts of the active run, which change while it works. Renders nothing without one. */
export function LiveConversionRun({ conversionId }: { conversionId: string }) {
  const { data } = useConversionRuns(useOrganizationId(), conversionId);
  const now = useNow(1_000);
  const run = data?.items[0];
  if (run?.state !== 'running') return null;
  const elapsedMs = millisecondsBetween(run.startedAt, null, now);
  return (
    <section className={styles.live} aria-label="Active run">
      <Status icon={IconLoader2} tone="accent">
        Running
      </Status>
      <Stat label="Read">{formatCount(run.recordsRead)}</Stat>
      <Stat label="New">{formatCount(run.eventsNew)}</Stat>
      <Stat label="Sent">{formatCount(run.eventsSent)}</Stat>
      <Stat label="Accepted">{formatCount(run.eventsAccepted)}</Stat>
      <Stat label="Rejected">{formatCount(run.eventsRejected)}</Stat>
      {elapsedMs !== null && <Stat label="Time">{formatDuration(Math.max(0, elapsedMs))}</Stat>}
    </section>
  );
}
