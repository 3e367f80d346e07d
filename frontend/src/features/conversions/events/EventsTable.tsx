import { Link } from 'react-router-dom';
import type { ConversionEvent } from '~/api/types';
import { EventStatus } from '~/components/status/EventStatus';
import { codeText, formatAmount } from '~/domain/conversions/event-state';
import { RelativeTime } from '~/ui/data/RelativeTime';
import table from '~/ui/layout/Table.module.css';
import styles from './EventsTab.module.css';

interface EventsTableProps {
  events: ConversionEvent[];
  /** The address of the page with the event open. */
  to: (event: ConversionEvent) => string;
}

const reasonOf = ({ message, code }: ConversionEvent): string | null => message ?? (code === null ? null : codeText(code));

const Row = ({ event, to }: { event: ConversionEvent; to: string }) => (
  <tr data-link>
    <td>
      <Link to={to} className={table.name}>
        {event.orderId ?? event.dedupeKey}
      </Link>
      <span className={table.second}>{event.adjusts === null ? event.clickId : `Adjusts ${event.adjusts}`}</span>
    </td>
    <td>
      <EventStatus state={event.state} />
      {reasonOf(event) && <span className={table.second}>{reasonOf(event)}</span>}
    </td>
    <td className={`${table.number} ${styles.mid}`}>{formatAmount(event.value, event.currency)}</td>
    <td className={styles.wide}>
      <RelativeTime at={event.occurredAt} />
    </td>
    <td className={styles.mid}>
      <RelativeTime at={event.receivedAt} />
    </td>
  </tr>
);

export const EventsTable = ({ events, to }: EventsTableProps) => (
  <table className={table.table} data-rows="two">
    <thead>
      <tr>
        <th scope="col">Event</th>
        <th scope="col">State</th>
        <th scope="col" className={`${table.number} ${styles.mid}`}>
          Value
        </th>
        <th scope="col" className={styles.wide}>
          Occurred
        </th>
        <th scope="col" className={styles.mid}>
          Received
        </th>
      </tr>
    </thead>
    <tbody>
      {events.map((event) => (
        <Row key={event.id} event={event} to={to(event)} />
      ))}
    </tbody>
  </table>
);
