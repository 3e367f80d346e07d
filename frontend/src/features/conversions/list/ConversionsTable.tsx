import { Link } from 'react-router-dom';
import type { Conversion } from '~/api/types';
import { providerName, RouteMarks, RouteText } from '~/components/status/ProviderMark';
import { matchCoverageOf } from '~/domain/conversions/conversion-state';
import { paths } from '~/domain/navigation/paths';
import { ActiveSwitch } from '~/features/conversions/ActiveSwitch';
import { ConversionHealth } from '~/features/conversions/ConversionHealth';
import { formatCount } from '~/lib/numbers';
import { useOrganizationId } from '~/session/organization-context';
import table from '~/ui/layout/Table.module.css';
import styles from './ConversionsTable.module.css';
import { ConversionMenu } from './ConversionMenu';

function Name({ conversion: { id, name, source, target } }: { conversion: Conversion }) {
  const organizationId = useOrganizationId();
  return (
    <span className={styles.identity}>
      <RouteMarks from={source.provider} to={target.provider} />
      <span>
        <Link to={paths.conversion(organizationId, id)} className={table.name}>
          {name}
        </Link>
        <span className={table.second}>
          <RouteText from={source.name} to={`${providerName(target.provider)}, ${target.name}`} />
        </span>
      </span>
    </span>
  );
}

const Figure = ({ label, value }: { label: string; value: number }) => (
  <td className={`${table.number} ${styles.figure}`}>
    <span className={`label ${styles.label}`}>{label}</span>
    {formatCount(value)}
  </td>
);

function Row({ conversion }: { conversion: Conversion }) {
  const { sent, accepted, rejected } = conversion.lastWeek;
  const match = matchCoverageOf(conversion);
  return (
    <tr data-link>
      <td className={styles.name}>
        <Name conversion={conversion} />
      </td>
      <td className={styles.health}>
        <ConversionHealth conversion={conversion} />
      </td>
      <Figure label="Sent" value={sent} />
      <Figure label="Accepted" value={accepted} />
      <Figure label="Rejected" value={rejected} />
      <td className={`${table.number} ${styles.match}`}>
        {match?.share ?? '—'}
        <span className={table.second}>{match?.detail ?? 'Not reported'}</span>
      </td>
      <td className={`${table.fit} ${styles.control}`}>
        <ActiveSwitch conversion={conversion} />
      </td>
      <td className={`${table.fit} ${styles.control}`}>
        <ConversionMenu conversion={conversion} />
      </td>
    </tr>
  );
}

/** The conversions of an organization with their events of the last 7 days. */
export const ConversionsTable = ({ conversions }: { conversions: Conversion[] }) => (
  <table className={`${table.table} ${styles.table}`} data-rows="two">
    <thead>
      <tr>
        <th scope="col">Name</th>
        <th scope="col">Health</th>
        <th scope="col" className={table.number}>
          Sent, 7 days
        </th>
        <th scope="col" className={table.number}>
          Accepted
        </th>
        <th scope="col" className={table.number}>
          Rejected
        </th>
        <th scope="col" className={`${table.number} ${styles.match}`}>
          Match coverage
        </th>
        <th scope="col">Enabled</th>
        <th scope="col">
          <span className="visually-hidden">More</span>
        </th>
      </tr>
    </thead>
    <tbody>
      {conversions.map((conversion) => (
        <Row key={conversion.id} conversion={conversion} />
      ))}
    </tbody>
  </table>
);
