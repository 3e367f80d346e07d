import type { Connection } from '~/api/types';
import { useRuns } from '~/api/connections/runs';
import { useDaily } from '~/api/connections/coverage';
import { healthTable } from '~/domain/connections/connection-state';
import { addDays, localDay } from '~/lib/dates';
import { useNow } from '~/lib/use-now';
import { useOrganizationId } from '~/session/organization-context';
import { WithFacts } from '~/ui/layout/WithFacts';
import { LatestProof } from '~/features/connections/proof/LatestProof';
import { RunCard } from '~/features/connections/runs/RunCard';
import { Freshness } from '~/features/connections/freshness/Freshness';
import { ConnectionFacts } from './ConnectionFacts';
import { DailyCharts } from './DailyCharts';
import { Figures } from './Figures';
import { HealthNotice } from './HealthNotice';
import { LatestRuns } from './LatestRuns';
import styles from './OverviewTab.module.css';

const DAYS_SHOWN = 30;

/** The message of the failure that the notice of the overview shows; null without one. */
const noticedMessage = ({ health, failure }: Connection): string | null =>
  ['danger', 'warn'].includes(healthTable[health].tone) ? (failure?.message ?? null) : null;

export function OverviewTab({ connection }: { connection: Connection }) {
  const organizationId = useOrganizationId();
  const today = localDay(useNow(300_000));
  const daily = useDaily(organizationId, connection.id, { from: addDays(today, 1 - DAYS_SHOWN), to: today });
  const runs = useRuns(organizationId, connection.id);
  const noticed = noticedMessage(connection);
  return (
    <>
      <HealthNotice connection={connection} />
      <RunCard connection={connection} noticed={noticed} />
      <div className={styles.proof}>
        <LatestProof connection={connection} runs={runs.data?.items} hasFailed={runs.error !== undefined} />
      </div>
      <WithFacts facts={<ConnectionFacts connection={connection} />}>
        <Freshness connection={connection} noticed={noticed} />
        <Figures connection={connection} daily={daily} runs={{ data: runs.data?.items, error: runs.error }} />
        <DailyCharts daily={daily.data} error={daily.error} onRetry={() => void daily.mutate()} />
        <LatestRuns
          connection={connection}
          runs={runs.data?.items}
          noticed={noticed}
          error={runs.error}
          onRetry={() => void runs.mutate()}
        />
      </WithFacts>
    </>
  );
}
