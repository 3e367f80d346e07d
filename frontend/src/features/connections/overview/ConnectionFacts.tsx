import { Fragment } from 'react';
import { Link } from 'react-router-dom';
import { useDestination } from '~/api/destinations';
import type { Connection } from '~/api/types';
import { hasCurrency } from '~/domain/billing/money';
import { formatDay, readerTimeZone } from '~/lib/dates';
import { plural } from '~/lib/numbers';
import { paths } from '~/domain/navigation/paths';
import { writeModeOf } from '~/components/stream-table/stream-choice';
import { describeSchedule, scheduleZone } from '~/domain/connections/schedule';
import { useNow } from '~/lib/use-now';
import { useOrganizationId } from '~/session/organization-context';
import { DescriptionList } from '~/ui/data/DescriptionList';
import { nextRunText } from '~/features/connections/describe-connection';

const unique = (values: string[]): string => [...new Set(values)].join(', ');

/** Lines break after an underscore, not within a word. */
const BreakableName = ({ name }: { name: string }) =>
  name.split('_').map((part, index) => (
    <Fragment key={part + String(index)}>
      {index > 0 && (
        <>
          _<wbr />
        </>
      )}
      {part}
    </Fragment>
  ));

export function ConnectionFacts({ connection }: { connection: Connection }) {
  const organizationId = useOrganizationId();
  const now = useNow();
  const { data: target } = useDestination(organizationId, connection.destination.id);
  const { source, destination, schedule, lookbackDays, streams, historyFrom } = connection;
  const zone = scheduleZone(schedule, readerTimeZone(), now);
  const chosen = streams.filter((stream) => stream.isSelected).map((stream) => stream.name);
  return (
    <>
      <DescriptionList
        facts={[
          { label: 'Schedule', value: zone === null ? describeSchedule(schedule) : `${describeSchedule(schedule)}, ${zone}` },
          { label: 'Next run', value: nextRunText(connection, now) },
          { label: 'Lookback window', value: lookbackDays === null ? 'Automatic' : plural(lookbackDays, 'day') },
          {
            label: 'Streams',
            value: chosen.map((name) => (
              <code key={name} style={{ display: 'block' }}>
                <BreakableName name={name} />
              </code>
            )),
          },
          { label: 'Sync mode', value: target ? writeModeOf(target) : '—' },
          { label: 'Start date', value: formatDay(historyFrom, now) },
          { label: 'Time zone', value: unique(source.accounts.map((account) => account.timeZone)) || '—' },
          { label: 'Currency', value: unique(source.accounts.map((account) => account.currency).filter(hasCurrency)) || '—' },
        ]}
      />
      <DescriptionList
        facts={[
          { label: 'Source', value: <Link to={paths.source(organizationId, source.id, source.provider)}>{source.name}</Link> },
          { label: 'App', value: <Link to={paths.app(organizationId, source.appId)}>Open app</Link> },
          { label: 'Destination', value: <Link to={paths.destination(organizationId, destination.id)}>{destination.name}</Link> },
        ]}
      />
    </>
  );
}
