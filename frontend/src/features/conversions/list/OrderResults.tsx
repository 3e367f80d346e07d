import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { useOrders } from '~/api/conversions/conversion-events';
import type { ConversionEventDetail } from '~/api/types';
import { ListPage } from '~/components/list/ListPage';
import { EventStatus } from '~/components/status/EventStatus';
import { paths } from '~/domain/navigation/paths';
import { EventLife } from '~/features/conversions/events/EventLife';
import { plural } from '~/lib/numbers';
import { useOrganizationId } from '~/session/organization-context';
import { EmptyState } from '~/ui/feedback/EmptyState';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { Section } from '~/ui/layout/Page';
import { OrderSearch } from './OrderSearch';
import styles from './OrderSearch.module.css';

function Found({ event }: { event: ConversionEventDetail }) {
  const organizationId = useOrganizationId();
  const { conversionId, conversionName, id } = event;
  return (
    <Section
      title={conversionName}
      aside={
        <Link to={paths.conversion(organizationId, conversionId, { tab: 'events', event: id })}>Open in its conversion</Link>
      }
    >
      <EventStatus state={event.state} />
      <EventLife event={event} />
    </Section>
  );
}

/** The whole life of an order, in every conversion that read it. */
export function OrderResults({ order }: { order: string }) {
  const organizationId = useOrganizationId();
  const { data, error, mutate } = useOrders(organizationId, order);
  const list = paths.conversions(organizationId);
  return (
    <ListPage
      title={`Order ${order}`}
      parent={{ label: 'Conversions', to: list }}
      status={data && data.items.length > 0 && <span className="label">{plural(data.items.length, 'event')}</span>}
      data={data}
      error={error}
      reload={mutate}
      errorTitle="Couldn’t search for the order"
      skeleton={<TableSkeleton label="Searching for the order" rows={6} widths={[20, '40%', 120]} />}
      isEmpty={({ items }) => items.length === 0}
      empty={
        <EmptyState
          title="No event with this ID"
          action={
            <Button component={Link} to={list} variant="default" size="md">
              All conversions
            </Button>
          }
        >
          Enter the complete order, click or event ID. Events are read when their conversion runs.
        </EmptyState>
      }
    >
      {({ items }) => (
        <>
          <OrderSearch order={order} />
          <div className={styles.found}>
            {items.map((event) => (
              <Found key={event.id} event={event} />
            ))}
          </div>
        </>
      )}
    </ListPage>
  );
}
