import { useOlderRestatedDays, useRestatedDays } from '~/api/connections/changes';
import type { Restatement } from '~/api/types';
import { ErrorNotice } from '~/components/feedback/ErrorNotice';
import { LoadMoreButton } from '~/components/list/LoadMoreButton';
import { formatDay } from '~/lib/dates';
import { useNow } from '~/lib/use-now';
import { useOrganizationId } from '~/session/organization-context';
import { RelativeTime } from '~/ui/data/RelativeTime';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { Section } from '~/ui/layout/Page';
import table from '~/ui/layout/Table.module.css';
import { formatMetric, METRICS } from './changed-share';
import styles from './Changes.module.css';

/** `Clicks from 4 to 5`, for each metric that changed. */
function describe({ settled, current, currency }: Restatement): string[] {
  if (!settled) return [];
  return METRICS.flatMap(({ value, label }) => {
    const [before, after] = [formatMetric(settled, value, currency), formatMetric(current, value, currency)];
    return before === after ? [] : [`${label} from ${before} to ${after}`];
  });
}

function Row({ item }: { item: Restatement }) {
  const now = useNow(300_000);
  const changes = describe(item);
  return (
    <tr>
      <td>
        {formatDay(item.date, now)}
        <span className={table.second}>
          <RelativeTime at={item.lastChangedAt} isFocusable />
        </span>
      </td>
      <td>{item.accountName}</td>
      <td>{changes.length === 0 ? 'Same sums as when it settled' : changes.map((text) => <div key={text}>{text}</div>)}</td>
    </tr>
  );
}

/** Days that the platform changed after they had settled, with their sums before and after. */
export function RestatedDays({ connectionId, stream }: { connectionId: string; stream: string }) {
  const organizationId = useOrganizationId();
  const { data, error, mutate } = useRestatedDays(organizationId, connectionId, stream);
  const { items, pages, hasMore } = useOlderRestatedDays(organizationId, connectionId, stream, data);
  return (
    <Section title="Restated days">
      {error !== undefined && <ErrorNotice error={error} title="Couldn’t load restated days" onRetry={() => void mutate()} />}
      {!data && error === undefined && <TableSkeleton label="Loading restated days" rows={2} widths={[90, 140, '40%']} />}
      {data && items.length === 0 && <p className="quiet">No day of this stream has changed after it had settled.</p>}
      {items.length > 0 && (
        <div className={table.scroll}>
          <table className={`${table.table} ${styles.restated}`}>
            <thead>
              <tr>
                <th scope="col">Day</th>
                <th scope="col">Account</th>
                <th scope="col">Change</th>
              </tr>
            </thead>
            <tbody>
              {items.map((item) => (
                <Row key={`${item.accountId} ${item.date}`} item={item} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <LoadMoreButton pages={pages} hasMore={hasMore} label="Show older days" />
    </Section>
  );
}
