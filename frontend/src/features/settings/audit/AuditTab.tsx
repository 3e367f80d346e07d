import { useSearchParams } from 'react-router-dom';
import { useAuditEvents } from '~/api/audit';
import { useOrganizationProfile } from '~/api/organization';
import { readerTimeZone } from '~/lib/dates';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { ErrorNotice } from '~/components/feedback/ErrorNotice';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import { LoadMoreButton } from '~/components/list/LoadMoreButton';
import { LockedReason } from '~/ui/feedback/LockedReason';
import { filterOf, isFiltered, readFilterValues } from './audit-filter';
import { AuditFilters } from './AuditFilters';
import { AuditRow } from './AuditRow';
import { DownloadButton } from './DownloadButton';
import styles from './Audit.module.css';

const SKELETON = <TableSkeleton label="Loading the audit log" rows={6} widths={[110, '22%', '22%', '22%']} />;

function Events() {
  const organizationId = useOrganizationId();
  const [parameters] = useSearchParams();
  const filterValues = readFilterValues(parameters);
  const filter = filterOf(filterValues);
  const response = useAuditEvents(organizationId, filter, true);
  const { data: pages, error, mutate } = response;
  const events = pages?.flatMap(({ items }) => items) ?? [];
  return (
    <>
      <AuditFilters filterValues={filterValues} />
      <div className={styles.tools}>
        <span className="label">Times in {readerTimeZone()}, newest first</span>
        <DownloadButton filter={filter} />
      </div>
      <LoadedContent
        data={pages}
        error={error}
        reload={mutate}
        errorTitle="Couldn’t load the audit log"
        refreshError="notice with age"
        skeleton={SKELETON}
        isEmpty={() => events.length === 0}
        empty={<p className={styles.none}>{isFiltered(filterValues) ? 'No events match these filters.' : 'No events yet.'}</p>}
      >
        {() => (
          <ul className={styles.list}>
            {events.map((event) => (
              <AuditRow key={event.id} event={event} />
            ))}
          </ul>
        )}
      </LoadedContent>
      <LoadMoreButton pages={response} hasMore={Boolean(pages?.at(-1)?.nextCursor)} />
    </>
  );
}

export function AuditTab() {
  const { data: organization, error, mutate } = useOrganizationProfile(useOrganizationId());
  const disabledReason = usePermissionGate('audit.read', 'view the audit log');
  if (!organization && error !== undefined)
    return <ErrorNotice error={error} title="Couldn’t load your permissions" onRetry={() => void mutate()} />;
  if (!organization) return SKELETON;
  if (disabledReason !== null) return <LockedReason>{disabledReason}</LockedReason>;
  return <Events />;
}
