import { Link } from 'react-router-dom';
import { useUsage } from '~/api/billing';
import type { Usage } from '~/api/types';
import { formatCount, plural } from '~/lib/numbers';
import { paths } from '~/domain/navigation/paths';
import { useLoadedAt } from '~/lib/use-loaded-at';
import { useOrganizationId, usePlan } from '~/session/organization-context';
import { ErrorNotice } from '~/components/feedback/ErrorNotice';
import { DescriptionList } from '~/ui/data/DescriptionList';
import { Figure, FigureRow } from '~/ui/data/Figures';
import { Meter } from '~/ui/data/Meter';
import { Section } from '~/ui/layout/Page';
import { RowsByDay } from './RowsByDay';
import styles from './Usage.module.css';

function ConnectionsNote({ connections: { used, limit } }: Usage) {
  if (limit === null) return <>no limit</>;
  const words = `${formatCount(used)} of ${plural(limit, 'connection')}`;
  return (
    <div className={styles.meter}>
      <Meter label="Connections" value={used} max={limit} valueText={words} tone={used >= limit ? 'warn' : 'plain'} />
      {used < limit ? `${formatCount(limit - used)} left in your plan` : 'plan limit reached'}
    </div>
  );
}

const connectionsValue = ({ connections: { used, limit } }: Usage): string =>
  limit === null ? formatCount(used) : `${formatCount(used)} of ${formatCount(limit)}`;

const Figures = ({ usage }: { usage: Usage | undefined }) => (
  <FigureRow>
    <Figure label="Connections" value={usage && connectionsValue(usage)} note={usage ? <ConnectionsNote {...usage} /> : ' '} />
    <Figure label="Rows this month" value={usage && formatCount(usage.rowsThisMonth)} note="written to destinations" />
    <Figure label="Runs this month" value={usage && formatCount(usage.runsThisMonth)} note="scheduled and manual" />
    <Figure label="Members" value={usage && formatCount(usage.members)} note="no limit" />
  </FigureRow>
);

/** Usage of the organization and the limits of its plan. */
export function UsageTab() {
  const organizationId = useOrganizationId();
  const { isBilled } = usePlan();
  const { data: usage, error, mutate } = useUsage(organizationId);
  const loadedAt = useLoadedAt(usage);
  return (
    <>
      {error !== undefined && (
        <ErrorNotice error={error} title="Couldn’t load usage" loadedAt={loadedAt} onRetry={() => void mutate()} />
      )}
      {(usage || error === undefined) && <Figures usage={usage} />}
      {(usage || error === undefined) && <RowsByDay days={usage?.rowsByDay} />}
      {usage && (
        <Section title="Resources">
          <DescriptionList
            facts={[
              { label: 'Apps', value: formatCount(usage.apps) },
              { label: 'Sources', value: formatCount(usage.sources) },
              { label: 'Destinations', value: formatCount(usage.destinations) },
            ]}
          />
        </Section>
      )}
      {isBilled && (
        <p className={styles.plan}>
          <Link to={paths.subscription(organizationId)}>Plan and billing</Link>
        </p>
      )}
    </>
  );
}
