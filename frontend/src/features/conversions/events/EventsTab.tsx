import { useNavigate, useSearchParams } from 'react-router-dom';
import { useConversionEvents, useOlderEvents } from '~/api/conversions/conversion-events';
import type { EventFilter } from '~/api/conversions/conversion-events';
import type { Conversion } from '~/api/types';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import { LoadMoreButton } from '~/components/list/LoadMoreButton';
import { EVENT_STATES } from '~/domain/conversions/event-state';
import { paths } from '~/domain/navigation/paths';
import { useOrganizationId } from '~/session/organization-context';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { ReplayRejectedButton } from '~/features/conversions/ReplayRejectedButton';
import { EventDrawer } from './EventDrawer';
import { EventFilters } from './EventFilters';
import styles from './EventsTab.module.css';
import { EventsTable } from './EventsTable';

function filterFrom(parameters: URLSearchParams): EventFilter {
  const state = EVENT_STATES.find((one) => one === parameters.get('state'));
  return { state, search: parameters.get('search')?.trim() || undefined };
}

export function EventsTab({ conversion }: { conversion: Conversion }) {
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const [parameters] = useSearchParams();
  const filter = filterFrom(parameters);
  const at = (query: { event?: string | null } & EventFilter) =>
    paths.conversion(organizationId, conversion.id, { tab: 'events', ...query });
  const { data, error, mutate } = useConversionEvents(organizationId, conversion.id, filter);
  const { items: events, pages, hasMore } = useOlderEvents(organizationId, conversion.id, filter, data);
  const isFiltered = filter.state !== undefined || filter.search !== undefined;
  return (
    <>
      <div className={styles.tools}>
        <EventFilters filter={filter} onChange={(next) => void navigate(at(next), { replace: true })} />
        <ReplayRejectedButton conversion={conversion} />
      </div>
      <LoadedContent
        data={data}
        error={error}
        reload={mutate}
        errorTitle="Couldn’t load events"
        refreshError="notice with age"
        skeleton={<TableSkeleton label="Loading events" rows={6} widths={['24%', '28%', 80, 100, 100]} />}
        isEmpty={() => events.length === 0}
        empty={
          <p className={styles.none}>{isFiltered ? 'No events match the filters.' : 'No events yet. The next run reads them.'}</p>
        }
      >
        {() => <EventsTable events={events} to={({ id }) => at({ ...filter, event: id })} />}
      </LoadedContent>
      <LoadMoreButton pages={pages} hasMore={hasMore} label="Show older events" />
      <EventDrawer
        conversion={conversion}
        eventId={parameters.get('event')}
        onClose={() => void navigate(at(filter), { replace: true })}
      />
    </>
  );
}
